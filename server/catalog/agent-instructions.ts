/**
 * Reads the instructions that an agent's function `_instructions` returns (llm-functions'
 * `dynamic_instructions: true`).
 */

import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { Agent, DynamicInstructions } from '../../core/tool/agent.ts'
import { secretValues } from '../../core/tool/mask.ts'
import { runWithSignals } from '../process/run-with-limit.ts'
import { eventMasker, secretsOfSource } from '../sources/masked.ts'
import type { CallEvents } from '../sources/source.ts'
import type { SourceRegistry } from './source-registry.ts'

/** A function that asks a question would wait forever. */
const maxDurationMs = 20_000

/**
 * Runs the function and returns its text, which still contains `{{variables}}`. Throws AppError `request-invalid` if no
 * such agent is open.
 *
 * @param variables values of the agent's variables, by name
 */
export async function dynamicInstructions(
  sources: SourceRegistry,
  { source, name }: Pick<Agent, 'source' | 'name'>,
  variables: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<DynamicInstructions> {
  const { session, closed, settings } = sources.get(source)
  const hasIt = session?.agents?.list().some(each => each.name === name && each.dynamicInstructions)
  if (session?.agents === undefined || !hasIt)
    throw new AppError('request-invalid', `${source} has no agent "${name}" with dynamic instructions`)
  const { agents } = session
  const mask = eventMasker([...secretsOfSource(session, settings), ...secretValues(variables)])
  return runWithSignals([signal, closed], stop =>
    readAnswer(agents.instructions(name, { signal: stop, timeoutMs: maxDurationMs, variables }), mask),
  )
}

async function readAnswer(
  events: CallEvents,
  mask: ReturnType<typeof eventMasker>,
): Promise<DynamicInstructions> {
  for await (const event of events) {
    if (event.type === 'result') return { text: event.raw ?? '' }
    const masked = mask(event)
    if (masked.type !== 'failure') continue
    const { message, hint, stderr } = masked
    return { problem: withoutUndefined({ message, hint, stderr }) }
  }
  return { problem: { message: 'It gave no answer.' } }
}
