/** Runs one command of a script: reads flags, checks the input, calls the tool and makes the answer. */

import { toErrorMessage } from '../errors.ts'
import { writeJson } from '../json/json-text.ts'
import type { CallEvent, EndedEvent } from '../tool/invocation.ts'
import type { Tool } from '../tool/tool.ts'
import { dryRunError, dryRunText, schemaError, toolOutput } from './command-output.ts'
import type { CommandAnswer } from './protocol.ts'
import { readFlags } from './read-flags.ts'
import type { ScriptHost } from './script-tools.ts'
import type { TraceEntry } from './trace.ts'

export interface CommandUse {
  readonly name: string
  readonly words: readonly string[]
  readonly stdin: string | null
  /** Maximum characters of one call's output that reach the script. */
  readonly limit: number
  /** Called before the call and after each change; undefined members are omitted. */
  readonly report: (change: Partial<Omit<TraceEntry, 'id' | 'startMs'>>) => void
  readonly event: (event: CallEvent) => void
  /** Called with a function that ends the call as soon as it exists. */
  readonly started: (cancel: () => void) => void
}

/** Never rejects: an error becomes an exit code and a line on stderr. */
export async function runToolCommand(world: ScriptHost, use: CommandUse): Promise<CommandAnswer> {
  const { name } = use
  let tool: Tool
  try {
    tool = await world.tool(name)
  } catch (thrown) {
    return complaint(name, toErrorMessage(thrown), 127)
  }
  const reading = readFlags(tool.inputSchema, use.words, { stdin: use.stdin })
  if (!reading.ok) {
    const { message, dryRun } = reading
    use.report({ ref: tool.ref, input: '', status: 'refused', message, exitCode: dryRun ? 1 : 2 })
    return dryRun
      ? { stdout: '', stderr: dryRunError(name, message), exitCode: 1 }
      : { stdout: '', stderr: message, exitCode: 2 }
  }
  if (reading.help) return world.help('help', [name])
  const input = writeJson(reading.input, 0)
  try {
    const validation = await world.validate(tool, input)
    if (reading.dryRun) {
      const exitCode = validation.verdict === 'invalid' ? 2 : 0
      const stdout = dryRunText(name, reading.input, validation)
      use.report({ ref: tool.ref, input, status: 'dry-run', exitCode, output: stdout })
      return { stdout, stderr: '', exitCode }
    }
    const wrong = schemaError(validation)
    if (wrong !== null) return refuse(use, tool, input, wrong, 2)
    const reason = world.refuses(tool)
    if (reason !== null) return refuse(use, tool, input, reason, 126)
    return await call(world, use, tool, input)
  } catch (thrown) {
    const message = toErrorMessage(thrown)
    use.report({ ref: tool.ref, input, status: 'failure', message, exitCode: 1 })
    return complaint(name, message, 1)
  }
}

async function call(world: ScriptHost, use: CommandUse, tool: Tool, input: string): Promise<CommandAnswer> {
  use.report({ ref: tool.ref, input, status: 'running' })
  let ending: EndedEvent | undefined
  const started = world.call(tool, input)
  use.started(() => started.cancel())
  for await (const event of started.events) {
    use.event(event)
    if (event.type === 'result' || event.type === 'failure') ending = event
  }
  if (ending === undefined) throw new Error('the call ended without a result')
  const answer = toolOutput(use.name, ending, use.limit)
  const status = ending.type === 'failure' && ending.reason === 'cancelled' ? 'cancelled' : ending.type
  use.report({
    status,
    verdict: ending.validation.verdict,
    exitCode: answer.exitCode,
    output: answer.stdout,
    ...(ending.type === 'failure' ? { message: ending.message } : {}),
  })
  return answer
}

function refuse(
  use: CommandUse,
  tool: Tool,
  input: string,
  message: string,
  exitCode: number,
): CommandAnswer {
  use.report({ ref: tool.ref, input, status: 'refused', message, exitCode })
  return complaint(use.name, message, exitCode)
}

function complaint(name: string, message: string, exitCode: number): CommandAnswer {
  return { stdout: '', stderr: `${name}: ${message}\n`, exitCode }
}
