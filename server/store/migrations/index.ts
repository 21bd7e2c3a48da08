/** Every step, in order. */
import { invocations } from './001-invocations.ts'
import { snapshots } from './002-snapshots.ts'
import { examples } from './003-examples.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [invocations, snapshots, examples]
