/** The commands, in the order of the help. */
import { call } from './call.ts'
import type { Command } from './command.ts'
import { diff } from './diff.ts'
import { list } from './list.ts'
import { serve } from './serve.ts'

export const commands: readonly Command[] = [serve, list, call, diff]

/** Those that answer once: `serve` goes on until it is stopped, so it has no `--json` and is not in the manifest. */
export const callableCommands: readonly Command[] = [list, call, diff]
