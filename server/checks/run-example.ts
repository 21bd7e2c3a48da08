/** Runs an example: resolves the variables of its input, calls the tool as every call does, and checks the result. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { diedAfterAnswer } from '../../core/checks/assess-answer.ts'
import { checkExample, type ExampleOutcome } from '../../core/checks/check-example.ts'
import type { Example } from '../../core/checks/example.ts'
import { type PreparedAnswers, preparedAnswers } from '../../core/checks/prepared-answers.ts'
import { resolveVariables, variableMasker } from '../../core/checks/variables.ts'
import type { Json } from '../../core/json/json.ts'
import { writeJson } from '../../core/json/json-text.ts'
import type { EndedEvent, FailureReason, Validation } from '../../core/tool/invocation.ts'
import { leftOutAt } from '../../core/tool/left-out.ts'
import { awaitEnding } from '../../core/tool/outcome.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import type { Caller } from '../calls/call.ts'
import { parseInput } from '../calls/parse-input.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Session } from '../sources/source.ts'
import type { Validator } from '../workers/validator.ts'

/** One call of a tool: which tool, and its limits. */
export interface InputRun {
  /** As it was when the caller decided to call it. */
  readonly tool: Tool
  /** Milliseconds; the source's own limit by default. */
  readonly timeoutMs?: number | undefined
  readonly signal: AbortSignal
}

export interface ExampleRun extends InputRun {
  readonly example: Example
  readonly environment: NodeJS.ProcessEnv
  /** The examples of the same source that run at the same time: their calls may end its server. */
  readonly meanwhile?: ReadonlySet<string>
}

export interface ExampleParts {
  readonly catalog: Catalog
  readonly call: Caller
  readonly validator: Validator
}

/** The input as it is sent, with all variables resolved. */
export interface MeantInput {
  readonly input: Json
  readonly answers: PreparedAnswers
  /** Values of the used variables, by name. All are masked, whatever their names. */
  readonly secrets: ReadonlyMap<string, string>
}

/** Resolves the variables in the input of an example. Returns the reason in one line if the input cannot be sent. */
export function meantInput(
  { input, answers = [], secretMarker }: Example,
  environment: NodeJS.ProcessEnv,
): MeantInput | string {
  // Both may contain variables, and both may lack a secret.
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

/** Calls a tool. Never rejects because of the tool. `unanswered`: the questions of the server that got no answer. */
export async function sendInput(
  { input, answers, secrets }: MeantInput,
  { tool, timeoutMs, signal }: InputRun,
  call: Caller,
): Promise<{ readonly ending: EndedEvent; readonly unanswered?: string }> {
  const events = call({
    ref: tool.ref,
    input: parseInput(writeJson(input)),
    origin: 'check',
    options: { timeoutMs, secrets: [...secrets.values()], answers, seen: tool },
    signal,
  })
  let unanswered: string | undefined
  const ending = await awaitEnding(events, event => {
    if (event.type === 'answer' && event.answer.by === 'toolscope') unanswered ??= event.answer.note ?? ''
  })
  return unanswered === undefined ? { ending } : { ending, unanswered }
}

/**
 * Runs an example. Never rejects because of the tool. The result contains no value of a variable that the input uses.
 */
export async function runExample(
  run: ExampleRun,
  { catalog, call, validator }: ExampleParts,
): Promise<ExampleOutcome> {
  const { example, environment, tool, signal, timeoutMs = defaultAliveMs } = run
  const meant = meantInput(example, environment)
  if (typeof meant === 'string') return { status: 'failed', message: meant, differences: [] }
  const validate = (schema: Json, value: Json): Promise<Validation> =>
    validator.validate(JSON.parse(writeJson(schema)) as JsonSchema, JSON.parse(writeJson(value)))
  const { ending, unanswered } = await sendInput(meant, run, call)
  const outcome: ExampleOutcome =
    unanswered === undefined
      ? await checkExample(example, ending, validate)
      : { status: 'failed', message: `the server asked a question: ${unanswered}`, differences: [] }
  const connection = catalog.sources.find(tool.source)
  // The server at an address belongs to others: only an example that is about its contract asks it more.
  const isWatched = connection?.spec.url === undefined || isContract(example)
  if (outcome.status === 'passed' && isAnswered(ending) && isWatched)
    if (await endsSoon(connection?.session, { pings: 2, timeoutMs, signal }))
      return { status: 'failed', message: diedAfterAnswer + listOthers(run.meanwhile), differences: [] }
  const hasLostServer =
    outcome.status === 'failed' && ending.type === 'failure' && ending.reason === 'network'
  const { message, ...rest } = masked(outcome, meant.secrets)
  const others = hasLostServer ? listOthers(run.meanwhile) : ''
  return { ...rest, message: message + others, durationMs: ending.timing.durationMs }
}

const maxOthers = 3

function listOthers(names: ReadonlySet<string> = new Set()): string {
  if (names.size === 0) return ''
  const listed = [...names].slice(0, maxOthers).join(', ')
  const more = names.size > maxOthers ? ` and ${names.size - maxOthers} more` : ''
  return ` (also running: ${listed}${more}; --concurrency 1 finds which call ends the server)`
}

/** Milliseconds in which a server answers whether it is alive. Other examples may keep it busy. */
const defaultAliveMs = 60_000

const isContract = ({ expect }: Example) =>
  expect !== undefined && ('accepts' in expect || 'refuses' in expect)

/** Reasons of a failure without an answer of the server. */
const lost: readonly FailureReason[] = ['network', 'timeout', 'cancelled']

const isAnswered = (ending: EndedEvent) => ending.type === 'result' || !lost.includes(ending.reason)

/** Milliseconds between two questions whether a server is alive. */
const pauseMs = 50

interface AliveLimits {
  /** How often the server is asked, 50 ms apart. */
  readonly pings: number
  /** Milliseconds for one answer. A server that does not answer is ended. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

/**
 * Returns whether the server of a session ends soon after an answer. False if no server of it runs between calls, and if
 * the signal is aborted.
 */
export async function endsSoon(
  session: Session | undefined,
  { pings, timeoutMs, signal }: AliveLimits,
): Promise<boolean> {
  const starts = session?.starts
  for (let ping = 0; ping < pings; ping++) {
    if (ping > 0) await setTimeoutPromise(pauseMs)
    const isAlive = await session?.isAlive?.(signal, timeoutMs)
    if (isAlive === undefined || signal.aborted) return false
    // It may have been started again by now.
    if (!isAlive || session?.starts !== starts) return true
  }
  return false
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
