/** The commands, in the order of the help. */
import { bridge } from './bridge.ts'
import { call } from './call.ts'
import type { Command } from './command.ts'
import { diff } from './diff.ts'
import { discover } from './discover.ts'
import { helpCommand } from './help.ts'
import { list } from './list.ts'
import { mcp } from './mcp.ts'
import { serve } from './serve.ts'

const help = helpCommand(() => ({ all: commands, answering: callableCommands }))

export const commands: readonly Command[] = [serve, list, help, discover, call, diff, bridge, mcp]

/** Those that answer once. The others go on until they are stopped: no `--json`, no entry in the manifest. */
export const callableCommands: readonly Command[] = [list, help, discover, call, diff]
