/** Runs an example: its input as it is meant (variables resolved), the call as every call is made, and the verdict. */

import type { Validation } from '../../core/call/invocation.ts'
import type { Example } from '../../core/example/example.ts'
import { checkExample, type ExampleOutcome } from '../../core/example/outcome.ts'
import { resolveVariables, variableMasker } from '../../core/example/variables.ts'
import type { Json } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import { leftOutAt } from '../../core/secrets/left-out.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { type Caller, endingOf } from '../calls/call.ts'
import { parseInput } from '../calls/parse-input.ts'
import type { Validator } from '../validation/validator.ts'

export interface ExampleRun {
  readonly ref: string
  readonly example: Example
  /** Milliseconds; the source's own limit unless given. */
  readonly timeoutMs?: number | undefined
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

export interface ExampleParts {
  readonly call: Caller
  readonly validator: Validator
}

/** Never rejects for what the tool does. What is told holds no value of a variable that the input names. */
export async function runExample(
  run: ExampleRun,
  { call, validator }: ExampleParts,
): Promise<ExampleOutcome> {
  const { example, environment } = run
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
  const events = call({
    ref: run.ref,
    input: parseInput(writeJson(resolved.value)),
    origin: 'check',
    // What an example takes from the environment is nobody else's business, whatever its name.
    options: { timeoutMs: run.timeoutMs, secrets: [...resolved.values.values()] },
    signal: run.signal,
  })
  const ending = await endingOf(events)
  const outcome = await checkExample(example, ending, validate)
  return { ...masked(outcome, resolved.values), durationMs: ending.timing.durationMs }
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
