/**
 * The one way to call a tool. The stages of a call, in order: its tool and its limits are looked up, the source runs
 * it, input and output are validated beside and after the run, and history keeps a record.
 */

import { messageOf } from '../../core/errors.ts'
import type { CallEvent, SessionEvent } from '../../core/tool/invocation.ts'
import type { History } from '../history/history.ts'
import { WaitingLine } from '../process/waiting-line.ts'
import { failure } from '../sources/run-failure.ts'
import type { SourceSnapshots } from '../versions/snapshot-of-call.ts'
import type { Validator } from '../workers/validator.ts'
import { addVerdicts } from './add-verdicts.ts'
import { type CallRequest, type PreparedCall, prepareCall, type ToolLookup } from './prepare-call.ts'
import { runTool } from './run-tool.ts'

/** Calls that run at once unless configured; the rest waits in line. */
const defaultMaxCalls = 32

export interface CallParts {
  readonly tools: ToolLookup
  readonly validator: Validator
  /** Calls that run at once; 32 unless given. */
  readonly maxCalls?: number | undefined
  /** Where every call is recorded; absent: nothing is recorded. */
  readonly record?: { readonly history: History; readonly versions: SourceSnapshots } | undefined
}

/**
 * Calls a tool: `started`, its place where it has to wait, what the source yields, one `input-validation` event, then
 * exactly one `result` or `failure`. The events never throw; abort the signal to cancel. Throws AppError `tool-not-found`
 * or `not-callable` at once.
 */
export type Caller = (request: CallRequest) => AsyncGenerator<CallEvent>

export function createCaller({ tools, validator, maxCalls = defaultMaxCalls, record }: CallParts): Caller {
  const line = new WaitingLine(maxCalls)
  return request => {
    const call = prepareCall(request, tools)
    const events = endOnce(
      call,
      addVerdicts(call, runInTurn(call, line, validator), call.withoutVerdicts ? undefined : validator),
    )
    if (record === undefined) return events
    const { tool, origin, input } = call
    const version = record.versions.referenceOf(tool.source)
    const facts = {
      tool,
      origin,
      inputValue: input.value,
      variables: call.variables,
      version,
      get secrets() {
        return call.secrets()
      },
    }
    return record.history.recorded(events, facts)
  }
}

type QueuedEvent = Extract<CallEvent, { type: 'queued' }>

function runInTurn(
  call: PreparedCall,
  line: WaitingLine,
  validator: Validator,
): AsyncGenerator<SessionEvent | QueuedEvent> {
  return line.inTurn<SessionEvent | QueuedEvent>(() => runTool(call, validator), call.signal, {
    position: position => ({ type: 'queued', position }),
    gone: () => failure('cancelled', 'Cancelled while it waited in line; its program was not started.'),
  })
}

/** The same events up to the first ending; whatever goes wrong on the way is an ending too. */
async function* endOnce(call: PreparedCall, events: AsyncGenerator<CallEvent>): AsyncGenerator<CallEvent> {
  let message = 'The call came to no end.'
  const end = call.begin()
  try {
    for await (const event of events) {
      yield event
      if (event.type === 'result' || event.type === 'failure') return
    }
  } catch (thrown) {
    message = `Toolscope could not finish the call: ${messageOf(thrown)}`
  } finally {
    end()
  }
  const durationMs = Date.now() - Date.parse(call.startedAt)
  yield {
    ...failure('bad-output', message),
    validation: { verdict: 'unchecked', issues: [] },
    timing: { startedAt: call.startedAt, durationMs },
  }
}

/** The source's own events again, for callers that pass them on. */
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
