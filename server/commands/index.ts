/** The commands, in the order of the help. */
import { bridge } from './bridge.ts'
import { call } from './call.ts'
import { check } from './check.ts'
import type { Command } from './command.ts'
import { diff } from './diff.ts'
import { discover } from './discover.ts'
import { exportSite } from './export.ts'
import { helpCommand } from './help.ts'
import { history } from './history.ts'
import { lint } from './lint.ts'
import { list } from './list.ts'
import { mcp } from './mcp.ts'
import { prompt } from './prompt.ts'
import { script } from './script.ts'
import { serve } from './serve.ts'
import { snapshot } from './snapshot.ts'
import { trust } from './trust.ts'

export const commands: readonly Command[] = [
  serve,
  list,
  helpCommand(() => ({ all: commands, answering: callableCommands })),
  discover,
  call,
  script,
  check,
  diff,
  snapshot,
  history,
  prompt,
  lint,
  exportSite,
  trust,
  bridge,
  mcp,
]

/** These go on until they are stopped: no `--json`, no entry in the manifest. */
const lasting: readonly Command[] = [serve, bridge, mcp]

/** Those that answer once. */
export const callableCommands: readonly Command[] = commands.filter(command => !lasting.includes(command))
