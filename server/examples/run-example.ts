/** Runs an example: its input as it is meant (variables resolved), the call as every call is made, and the verdict. */

import type { Validation } from '../../core/call/invocation.ts'
import { AppError } from '../../core/errors.ts'
import type { Example } from '../../core/example/example.ts'
import { checkExample, type ExampleOutcome } from '../../core/example/outcome.ts'
import { resolveVariables, variableMasker } from '../../core/example/variables.ts'
import type { Json } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import { leftOutAt } from '../../core/secrets/left-out.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import { runCall } from '../calls/call.ts'
import { parseInput } from '../calls/parse-input.ts'
import type { History } from '../history/history.ts'
import type { Session } from '../sources/source.ts'
import type { Validator } from '../validation/validator.ts'

export interface ExampleRun {
  readonly tool: Tool
  readonly session: Session
  readonly example: Example
  readonly timeoutMs: number
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Remembers the call. */
  readonly history?: History | undefined
}

/** Never rejects for what the tool does. What is told holds no value of a variable that the input names. */
export async function runExample(run: ExampleRun, validator: Validator): Promise<ExampleOutcome> {
  const { example, environment, history, ...call } = run
  const leftOut = leftOutAt(example.input, example.secretMarker)
  if (leftOut.length > 0)
    return {
      status: 'failed',
      message: `the secret at ${leftOut.slice(0, 5).join(', ')} was left out: write \${env:NAME} there`,
      differences: [],
    }
  const resolved = resolveVariables(example.input, name => environment[name])
  if (!resolved.ok)
    return {
      status: 'failed',
      message: `the environment has no ${resolved.missing.join(', ')}`,
      differences: [],
    }
  const validate = (schema: Json, value: Json): Promise<Validation> =>
    validator.validate(JSON.parse(writeJson(schema)) as JsonSchema, JSON.parse(writeJson(value)))
  const input = parseInput(writeJson(resolved.value))
  const events = runCall({ ...call, input }, validator)
  const facts = {
    tool: run.tool,
    origin: 'check',
    inputValue: input.value,
    // What an example takes from the environment is nobody else's business, whatever its name.
    secrets: [...resolved.values.values()].filter(value => value.length >= 4),
  } as const
  for await (const event of history === undefined ? events : history.recorded(events, facts)) {
    if (event.type !== 'result' && event.type !== 'failure') continue
    const outcome = await checkExample(example, event, validate)
    return { ...masked(outcome, resolved.values), durationMs: event.timing.durationMs }
  }
  throw new AppError('internal', 'a call ended without a result')
}

function masked(outcome: ExampleOutcome, values: ReadonlyMap<string, string>): ExampleOutcome {
  if (values.size === 0) return outcome
  const hide = variableMasker(values)
  return {
    ...outcome,
    message: hide(outcome.message),
    differences: outcome.differences.map(({ path, expected, actual }) => ({
      path: hide(path),
      ...(expected === undefined ? {} : { expected: hide(expected) }),
      ...(actual === undefined ? {} : { actual: hide(actual) }),
    })),
  }
}
