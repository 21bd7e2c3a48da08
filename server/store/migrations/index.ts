/** Every step, in order. */
import { invocations } from './001-invocations.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [invocations]
