/** Runs an example: its input as it is meant (variables resolved), the call as every call is made, and the verdict. */

import { type PreparedAnswers, preparedAnswers } from '../../core/checks/answers.ts'
import type { Example } from '../../core/checks/example.ts'
import { checkExample, type ExampleOutcome } from '../../core/checks/outcome.ts'
import { resolveVariables, variableMasker } from '../../core/checks/variables.ts'
import type { Json } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import { endingOf } from '../../core/tool/ending-of.ts'
import type { EndedEvent, Validation } from '../../core/tool/invocation.ts'
import { leftOutAt } from '../../core/tool/left-out.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import type { Caller } from '../calls/call.ts'
import { parseInput } from '../calls/parse-input.ts'
import type { Validator } from '../workers/validator.ts'

/** One call of a tool: where, and what ends it. */
export interface InputRun {
  readonly ref: string
  /** Milliseconds; the source's own limit unless given. */
  readonly timeoutMs?: number | undefined
  readonly signal: AbortSignal
}

export interface ExampleRun extends InputRun {
  readonly example: Example
  readonly environment: NodeJS.ProcessEnv
}

export interface ExampleParts {
  readonly call: Caller
  readonly validator: Validator
}

/** What is sent: nothing in it is replaced any more. */
export interface MeantInput {
  readonly input: Json
  readonly answers: PreparedAnswers
  /** Values of the variables that were used, by name: nobody else's business, whatever the names. */
  readonly secrets: ReadonlyMap<string, string>
}

/** The input of an example with its variables resolved; a text where it cannot be sent: why, in one line. */
export function meantInput(
  { input, answers = [], secretMarker }: Example,
  environment: NodeJS.ProcessEnv,
): MeantInput | string {
  // Both may name variables, and both may lack a secret.
  const sent = { input, answers: answers as unknown as Json }
  const leftOut = [...leftOutAt(input, secretMarker), ...leftOutAt({ answers: sent.answers }, secretMarker)]
  if (leftOut.length > 0)
    return `the secret at ${leftOut.slice(0, 5).join(', ')} was left out: write \${env:NAME} there`
  const resolved = resolveVariables(sent, name => environment[name])
  if (!resolved.ok) return `the environment has no ${resolved.missing.join(', ')}`
  const meant = resolved.value as typeof sent
  return {
    input: meant.input,
    answers: preparedAnswers.parse(JSON.parse(writeJson(meant.answers))),
    secrets: resolved.values,
  }
}

/** Calls a tool. Never rejects for what it does. `unanswered`: what the server asked and got no answer to. */
export async function sendInput(
  { input, answers, secrets }: MeantInput,
  { ref, timeoutMs, signal }: InputRun,
  call: Caller,
): Promise<{ readonly ending: EndedEvent; readonly unanswered?: string }> {
  const events = call({
    ref,
    input: parseInput(writeJson(input)),
    origin: 'check',
    options: { timeoutMs, secrets: [...secrets.values()], answers },
    signal,
  })
  let unanswered: string | undefined
  const ending = await endingOf(events, event => {
    if (event.type === 'answer' && event.answer.by === 'toolscope') unanswered ??= event.answer.note ?? ''
  })
  return unanswered === undefined ? { ending } : { ending, unanswered }
}

/** Never rejects for what the tool does. What is told holds no value of a variable that the input names. */
export async function runExample(
  run: ExampleRun,
  { call, validator }: ExampleParts,
): Promise<ExampleOutcome> {
  const { example, environment } = run
  const meant = meantInput(example, environment)
  if (typeof meant === 'string') return { status: 'failed', message: meant, differences: [] }
  const validate = (schema: Json, value: Json): Promise<Validation> =>
    validator.validate(JSON.parse(writeJson(schema)) as JsonSchema, JSON.parse(writeJson(value)))
  const { ending, unanswered } = await sendInput(meant, run, call)
  const outcome: ExampleOutcome =
    unanswered === undefined
      ? await checkExample(example, ending, validate)
      : { status: 'failed', message: `the server asked a question: ${unanswered}`, differences: [] }
  return { ...masked(outcome, meant.secrets), durationMs: ending.timing.durationMs }
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
