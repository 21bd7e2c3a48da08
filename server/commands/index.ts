/** The commands, in the order of the help. */
import { bridge } from './bridge.ts'
import { call } from './call.ts'
import type { Command } from './command.ts'
import { diff } from './diff.ts'
import { history } from './history.ts'
import { list } from './list.ts'
import { mcp } from './mcp.ts'
import { serve } from './serve.ts'
import { snapshot } from './snapshot.ts'

export const commands: readonly Command[] = [serve, list, call, diff, snapshot, history, bridge, mcp]

/** Those that answer once. The others go on until they are stopped: no `--json`, no entry in the manifest. */
export const callableCommands: readonly Command[] = [list, call, diff, snapshot, history]
