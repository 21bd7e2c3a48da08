/** Adds Toolscope's own facts to a run: when it started, and whether its input and its output match their schemas. */

import { isDeeperThan } from '../../core/json/json.ts'
import { callerSchema } from '../../core/schema/caller-schema.ts'
import type {
  CallEvent,
  Failure,
  FailureReason,
  SessionEnding,
  SessionEvent,
  Validation,
  ValidationIssue,
} from '../../core/tool/invocation.ts'
import type { JsonSchema, Tool } from '../../core/tool/tool.ts'
import type { Validator } from '../workers/validator.ts'
import type { PreparedCall } from './prepare-call.ts'

const notValidated: Validation = {
  verdict: 'unchecked',
  issues: [],
  note: 'This caller asked for no validation.',
}

/**
 * Yields `started`, the events of the run, `input-validation` as soon as it is known, and the ending with the verdict
 * on the output. Invalid input does not stop a call: it is validated while the tool runs.
 *
 * @param validator absent: nothing is validated, and there is no `input-validation`
 */
export async function* addVerdicts(
  call: PreparedCall,
  run: AsyncGenerator<SessionEvent | Extract<CallEvent, { type: 'queued' }>>,
  validator: Validator | undefined,
): AsyncGenerator<CallEvent> {
  const { id, tool, startedAt, timeoutMs, input, caller } = call
  const trace = caller?.trace && { trace: caller.trace }
  yield { type: 'started', id, ref: tool.ref, startedAt, inputText: input.text, timeoutMs, ...trace }
  let started = performance.now()
  let durationMs = 0
  const clock = new AnswerClock()
  let ending: SessionEnding | undefined
  let inputValidation = notValidated
  const validate = (by: Validator) => {
    by.expect(tool.outputSchema)
    return validateInput(call, by)
  }
  const events = validator ? insertEvent(run, () => validate(validator), call.abandon) : run
  for await (const event of events) {
    if (event.type === 'result' || event.type === 'failure') {
      // The tool's own time, without validation.
      durationMs = Math.round((performance.now() - started - clock.answeringMs()) * 10) / 10
      ending = event
    } else {
      if (event.type === 'input-validation') inputValidation = event.validation
      // The tool's own time does not include the wait in the queue.
      if (event.type === 'queued') started = performance.now()
      clock.note(event)
      yield event
    }
  }
  if (ending === undefined) return
  const bounded = boundDepth(ending)
  const validation =
    bounded !== ending
      ? { ...notValidated, note: tooDeepNote }
      : validator
        ? await validateOutput(ending, tool, validator)
        : notValidated
  const timing = { startedAt, durationMs }
  if (bounded.type === 'result') yield { ...bounded, validation, timing }
  else yield { ...bounded, ...attributeIssues(bounded, inputValidation, tool), validation, timing }
}

/** Measures how long questions waited for answers, which is not the tool's own time. */
class AnswerClock {
  private readonly open = new Set<string>()
  private since = 0
  private passedMs = 0

  note(event: CallEvent | SessionEvent): void {
    if (event.type === 'question') {
      if (this.open.size === 0) this.since = performance.now()
      this.open.add(event.question.id)
    } else if (event.type === 'answer' && this.open.delete(event.id) && this.open.size === 0)
      this.passedMs += performance.now() - this.since
  }

  answeringMs(): number {
    return this.passedMs + (this.open.size > 0 ? performance.now() - this.since : 0)
  }
}

/**
 * Yields the events, and one more event as soon as `start` resolves. `start` is called after the first request for an
 * event, and is awaited before the end.
 *
 * @param abandon called if the reader stops before the end
 */
async function* insertEvent<Event, Extra>(
  events: AsyncGenerator<Event>,
  start: () => Promise<Extra>,
  abandon: () => void,
): AsyncGenerator<Event | Extra> {
  const nextEvent = () => events.next().then(result => ({ result }))
  let ended = false
  try {
    let next = nextEvent()
    let extra: Promise<{ readonly extra: Extra }> | undefined = start().then(value => ({ extra: value }))
    while (!ended || extra !== undefined) {
      const first = await Promise.race([...(extra ? [extra] : []), ...(ended ? [] : [next])])
      if ('extra' in first) {
        extra = undefined
        yield first.extra
      } else if (first.result.done === true) ended = true
      else {
        yield first.result.value
        next = nextEvent()
      }
    }
  } finally {
    if (!ended) {
      abandon()
      await events.return(undefined)
    }
  }
}

/** Does not wait for the verdict if the call is cancelled. */
async function validateInput({ tool, input, signal }: PreparedCall, validator: Validator) {
  const cancelled = new Promise<Validation>(resolve => {
    const note = 'The call was cancelled before its input was validated.'
    signal.addEventListener('abort', () => resolve({ ...notValidated, note }), { once: true })
  })
  const validation = await Promise.race([
    validator.validate(callerSchema(tool.inputSchema), input.value, tool.source),
    cancelled,
  ])
  return { type: 'input-validation', validation } as const
}

/** Reasons with which Toolscope ends a call: its output may be incomplete. */
const brokenOff: ReadonlySet<string> = new Set<FailureReason>(['cancelled', 'timeout', 'too-large'])

/** A result without structured content breaks an output schema too. A failure's payload is validated if it has one. */
async function validateOutput(
  ending: SessionEnding,
  { outputSchema: schema, source }: Tool,
  validator: Validator,
): Promise<Validation> {
  if (schema === undefined) return validator.validate(undefined, undefined)
  if (ending.type === 'failure' && brokenOff.has(ending.reason))
    return {
      ...notValidated,
      note: 'The call was stopped early: the output so far is not checked.',
    }
  if (ending.structuredContent !== undefined)
    return validator.validate(schema, ending.structuredContent, source)
  if (ending.type === 'failure' && ending.issuesOf === 'output')
    return { verdict: 'invalid', issues: ending.issues ?? [], note: 'The program checked its output itself.' }
  if (ending.type === 'failure' && ending.reason !== 'bad-output')
    return { ...notValidated, note: 'The call failed: there is no output to check.' }
  const issue: ValidationIssue = {
    path: '',
    keyword: 'type',
    message: 'there is no JSON output, and the tool declares an output schema',
    expected: 'JSON',
    actual: 'nothing',
  }
  return { verdict: 'invalid', issues: [issue] }
}

/** If the source does not know whether a program's issues concern the input or the output, the schemas decide. */
function attributeIssues(
  { issues, issuesOf }: Failure,
  inputValidation: Validation,
  tool: Tool,
): { issuesOf?: 'input' | 'output' } {
  if (issues === undefined || issuesOf !== undefined) return {}
  if (inputValidation.verdict === 'invalid') return { issuesOf: 'input' }
  const names = issues.map(issue => issue.path.split('/')[1] ?? '')
  const inInput = names.every(name => declares(tool.inputSchema, name))
  const inOutput = names.every(name => declares(tool.outputSchema, name))
  return { issuesOf: inOutput && !inInput ? 'output' : 'input' }
}

function declares(schema: JsonSchema | undefined, property: string): boolean {
  if (typeof schema !== 'object') return false
  const { properties } = schema
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, property)
}

/** `JSON.stringify` overflows the stack at some thousands of levels. */
const maxResultDepth = 1_000

/** The note of a result whose structure was dropped. */
const tooDeepNote = `The result is nested more than ${maxResultDepth} levels deep; it is shown as text.`

/**
 * Returns the ending unchanged, or, if it is nested too deeply, only its text: `raw`, and the blocks of `content`
 * within the limit.
 */
function boundDepth<Ended extends SessionEnding>(ending: Ended): Ended {
  if (!isDeeperThan(ending, maxResultDepth)) return ending
  const { structuredContent: _value, meta: _meta, content, ...rest } = ending
  const shallow = content.filter(block => !isDeeperThan(block, maxResultDepth))
  const text =
    ending.raw !== undefined && shallow.length === 0 ? [{ type: 'text', text: ending.raw } as const] : []
  const note = ending.note === undefined ? tooDeepNote : `${ending.note} ${tooDeepNote}`
  return { ...rest, content: [...shallow, ...text], note } as unknown as Ended // Only optional members were removed.
}
