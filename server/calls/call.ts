/**
 * The only way to call a tool. `createCaller` lists the stages: look up the tool and its limits, wait for a free slot,
 * compare the tool with its pin, run it while its input is validated, validate the output, and record the call in history.
 */

import { toErrorMessage } from '../../core/errors.ts'
import { isObject } from '../../core/json/json.ts'
import { formatTimeLimit } from '../../core/text/duration.ts'
import type { CallEvent, SessionEnding, SessionEvent } from '../../core/tool/invocation.ts'
import { toOutcome } from '../../core/tool/outcome.ts'
import { leftTask } from '../../core/tool/task.ts'
import type { Tool } from '../../core/tool/tool.ts'
import type { History } from '../history/history.ts'
import type { Pins } from '../pins/source-pins.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import type { WaitingLine } from '../process/waiting-line.ts'
import { eventMasker } from '../sources/masked.ts'
import { type FailureEvent, failure } from '../sources/run-failure.ts'
import type { SourceSnapshots } from '../versions/describe-snapshot.ts'
import type { Validator } from '../workers/validator.ts'
import { addVerdicts } from './add-verdicts.ts'
import { buildAnswerer } from './answer-question.ts'
import { CallLoad, type CallSummary } from './call-load.ts'
import { type CallRequest, type PreparedCall, prepareCall, type ToolLookup } from './prepare-call.ts'

export interface CallParts {
  readonly tools: ToolLookup
  readonly validator: Validator
  /** Maximum number of calls that run at the same time; 32 by default. */
  readonly maxCalls?: number | undefined
  /** Counts the calls, if the caller needs that; its maximum replaces `maxCalls`. */
  readonly load?: CallLoad | undefined
  /** Refuses what is not as it was approved; null: nothing that runs here can be approved. */
  readonly pins: Pick<Pins, 'admit' | 'isChecked'> | null
  /** Records every call; absent: nothing is recorded. */
  readonly record?: { readonly history: History; readonly versions: SourceSnapshots } | undefined
}

/**
 * Calls a tool: yields `started`, its position if it has to wait, the source's events, one `input-validation` event,
 * then exactly one `result` or `failure`. The events never throw; abort the signal to cancel. Throws AppError
 * `tool-not-found`, `not-callable` or `draining` synchronously.
 */
export type Caller = (request: CallRequest) => AsyncGenerator<CallEvent>

export function createCaller({
  tools,
  validator,
  pins,
  maxCalls,
  load = new CallLoad(maxCalls),
  record,
}: CallParts): Caller {
  return request => {
    load.demandOpen()
    const call = prepareCall(request, tools, load.stopped)
    const run = () => runTool(call, validator, pins, load.stopped)
    const inTurn = waitInLine(call, load.line, run)
    const validated = addVerdicts(call, inTurn, call.withoutVerdicts ? undefined : validator)
    const ended = endOnce(call, validated, load)
    return record === undefined ? ended : keepRecord(call, ended, record)
  }
}

type QueuedEvent = Extract<CallEvent, { type: 'queued' }>

function waitInLine(
  { signal }: PreparedCall,
  line: WaitingLine,
  run: () => AsyncGenerator<SessionEvent>,
): AsyncGenerator<SessionEvent | QueuedEvent> {
  const open = new Set<string>()
  return line.inTurn<SessionEvent | QueuedEvent>(run, signal, {
    position: position => ({ type: 'queued', position }),
    gone: () => failure('cancelled', 'Cancelled while it waited in line; its program was not started.'),
    // A call that waits for a person must not keep the others waiting.
    pauses(event) {
      if (event.type === 'question') open.add(event.question.id)
      else if (event.type === 'answer') open.delete(event.id)
      else return undefined
      return open.size > 0
    },
  })
}

/**
 * Yields the source's events with its secrets masked. Ends when the caller or the closing source aborts it. Never
 * throws: a session that breaks its contract is reported as a failure too.
 */
async function* runTool(
  call: PreparedCall,
  validator: Validator,
  pins: CallParts['pins'],
  stopped: AbortSignal,
): AsyncGenerator<SessionEvent> {
  const { tool, manifest, input, variables, signal, seen, accept = [] } = call
  const mask = eventMasker(call.sourceSecrets())
  const maskEnding = (ending: SessionEnding) => eventMasker(call.sourceSecrets())(ending)
  try {
    const comparedStarts = call.starts()
    const uri = pins === null || tool.kind === undefined ? undefined : await findReadUri(tool, input.value)
    const admission = { accepted: accept, found: { index: tool.index, manifest, uri, seen } }
    // It may have waited in line for long, and its list may have changed since.
    const refused = pins === null ? undefined : await admitInTime(pins, call, admission)
    if (refused !== undefined) {
      yield refused
      return
    }
    const answer = buildAnswerer(call, validator)
    const options = {
      callId: call.id,
      signal,
      timeoutMs: call.timeoutMs,
      progressResetsTimeout: call.progressResetsTimeout,
      withoutProgress: call.withoutProgress,
      keepsBackground: call.keepsBackground,
      asTask: call.asTask,
      taskId: call.taskId,
      caller: call.caller,
      answer,
      ...(pins && {
        confirmList: () => admitInTime(pins, call, { ...admission, mustRead: true }),
        comparedStarts,
        isPinned: pins.isChecked(tool.source),
      }),
      ...(variables ? { variables } : {}),
    }
    for await (const event of call.run(tool, input, options)) {
      if (event.type !== 'result' && event.type !== 'failure') yield mask(event)
      else {
        const explained = explainTimeout(event, call)
        const wasClosed = signal.aborted && !call.isCancelled()
        yield maskEnding(wasClosed ? explainClosing(explained, stopped.aborted) : explained)
        return
      }
    }
    yield failure('bad-output', 'The source ended the call without a result.')
  } catch (thrown) {
    const message = toErrorMessage(thrown)
    yield maskEnding(failure(signal.aborted ? 'cancelled' : 'network', message))
  }
}

/** A server that does not answer for its list must not keep a call that was cancelled, or much longer than its limit. */
async function admitInTime(
  pins: NonNullable<CallParts['pins']>,
  { tool, signal, timeoutMs }: PreparedCall,
  admission: Parameters<Pins['admit']>[1],
): Promise<FailureEvent | undefined> {
  const limitMs = Math.max(timeoutMs, minListMs)
  try {
    return await runWithLimit([signal], limitMs, () => pins.admit(tool, admission))
  } catch (thrown) {
    if (!isTimeLimit(thrown)) throw thrown
    const message = `Not called: its list was not read within ${formatTimeLimit(limitMs)}, to be compared with its pin.`
    return failure('timeout', message)
  }
}

/** Milliseconds for the list of a pinned source, if the limit of the call is shorter. */
const minListMs = 10_000

/** Returns the address that a resource or a template reads. */
async function findReadUri({ kind, uri }: Tool, value: unknown): Promise<string | undefined> {
  if (kind !== 'template' || uri === undefined) return kind === 'resource' ? uri : undefined
  const { expandTemplate } = await import('../../core/tool/uri-template.ts')
  return expandTemplate(uri, isObject(value) ? value : {})
}

/** @param isStopping whether the program ends, and not only the source */
function explainClosing(ending: SessionEnding, isStopping: boolean): SessionEnding {
  if (ending.type === 'result' || ending.reason !== 'cancelled') return ending
  const what = isStopping ? 'Toolscope was stopped' : 'The source was closed'
  const message = `${what} while the call ran.`
  return {
    ...ending,
    ...(ending.meta?.[leftTask] === undefined
      ? { message, hint: isStopping ? 'Call again.' : 'Start it, and call again.' }
      : { message: `${message} ${ending.message}` }),
  }
}

/** Names the limit of a call that took too long, and where to change it. */
function explainTimeout(ending: SessionEnding, { timeoutMs }: PreparedCall): SessionEnding {
  if (ending.type === 'result' || ending.reason !== 'timeout') return ending
  const message = `The call took longer than its time limit of ${formatTimeLimit(timeoutMs)}.`
  const how =
    'Change the time limit: next to the button of the call on the page, with `--timeout 5m` on the command line, or for its source with "timeoutMs" in toolscope.json.'
  return {
    ...ending,
    message: `${message} ${ending.message}`.trim(),
    hint: ending.meta?.[leftTask] === undefined ? how : (ending.hint ?? how),
  }
}

/** Yields the events up to the first ending, and turns every error into an ending. */
async function* endOnce(
  call: PreparedCall,
  events: AsyncGenerator<CallEvent>,
  load: CallLoad,
): AsyncGenerator<CallEvent> {
  let message = 'The call ended without a result.'
  // A caller that stops reading cancels the call.
  let outcome: CallSummary['outcome'] = 'cancelled'
  const end = call.begin()
  const endInLoad = load.begin()
  try {
    for await (const event of events) {
      const isEnding = event.type === 'result' || event.type === 'failure'
      if (isEnding) outcome = toOutcome(event)
      yield event
      if (isEnding) return
    }
    outcome = 'bad-output'
  } catch (thrown) {
    outcome = 'bad-output'
    message = `Toolscope could not finish the call: ${toErrorMessage(thrown)}`
  } finally {
    end()
    endInLoad({ source: call.tool.source, outcome, durationMs: msSince(call.startedAt) })
  }
  yield {
    ...failure('bad-output', message),
    validation: { verdict: 'unchecked', issues: [] },
    timing: { startedAt: call.startedAt, durationMs: msSince(call.startedAt) },
  }
}

const msSince = (startedAt: string) => Date.now() - Date.parse(startedAt)

function keepRecord(
  call: PreparedCall,
  events: AsyncGenerator<CallEvent>,
  { history, versions }: NonNullable<CallParts['record']>,
): AsyncGenerator<CallEvent> {
  const { tool, origin, person, input, variables } = call
  const version = versions.referenceOf(tool.source)
  return history.recorded(events, {
    tool,
    origin,
    person,
    inputValue: input.value,
    variables,
    version,
    // Read again each time: a sign-in may be renewed during the call.
    get secrets() {
      return call.secrets()
    },
  })
}

/** Returns only the source's own events, for callers that pass them on. */
export async function* sessionEventsOf(events: AsyncIterable<CallEvent>): AsyncGenerator<SessionEvent> {
  for await (const event of events) {
    if (event.type === 'started' || event.type === 'input-validation' || event.type === 'queued') continue
    if (event.type !== 'result' && event.type !== 'failure') yield event
    else {
      const { validation: _validation, timing: _timing, ...ending } = event
      yield ending
    }
  }
}
