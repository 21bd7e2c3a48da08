/** Makes the calls of a load and counts how long they took and how they failed. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ErrorGroups } from '../../core/bench/error-groups.ts'
import { Histogram } from '../../core/bench/histogram.ts'
import { endingOf } from '../../core/call/ending-of.ts'
import type { EndedEvent } from '../../core/call/invocation.ts'
import { messageOf } from '../../core/errors.ts'
import { variableMasker } from '../../core/example/variables.ts'
import { issueSentence } from '../../core/validation/read-issues.ts'
import type { Caller } from '../calls/call.ts'
import type { Target } from './plan-targets.ts'
import { type LoadEnd, type LoadPlan, runLoad } from './run-load.ts'

export interface ToolFigures {
  readonly times: Histogram
  errors: number
}

/** Grows with the number of tools and not with that of calls. */
export class LoadFigures {
  readonly times = new Histogram()
  readonly errors = new ErrorGroups()
  readonly tools = new Map<string, ToolFigures>()

  add(ref: string, ms: number, error: CallError | undefined): void {
    const tool = this.tools.get(ref) ?? { times: new Histogram(), errors: 0 }
    this.tools.set(ref, tool)
    this.times.add(ms)
    tool.times.add(ms)
    if (error === undefined) return
    tool.errors += 1
    this.errors.add(error.reason, error.message)
  }
}

interface CallError {
  readonly reason: string
  readonly message: string
}

export interface LoadOptions extends LoadPlan {
  /** Called in turns. */
  readonly targets: readonly Target[]
  readonly call: Caller
  /** Milliseconds; the source's own limit unless given. */
  readonly timeoutMs?: number | undefined
  /** An output that breaks its schema is an error. */
  readonly validates: boolean
}

/** Failed calls count in the times too. @param figures get each call when it has ended */
export function measureLoad(options: LoadOptions, figures: LoadFigures): Promise<LoadEnd> {
  const { targets, signal } = options
  const maskers = new Map(targets.map(target => [target, variableMasker(target.secrets)]))
  let next = 0
  return runLoad(async dueAt => {
    const target = targets[next++ % targets.length] as Target
    const sentAt = performance.now()
    const { error, ownMs } = await callOnce(target, options)
    // Calls that the stop of the load ended say nothing about the tool.
    if (signal.aborted) return
    const ms = ownMs === undefined ? performance.now() - dueAt : sentAt - dueAt + ownMs
    const message = error && maskers.get(target)?.(error.message)
    figures.add(target.ref, ms, error && { reason: error.reason, message: message ?? '' })
    // A call may fail without a turn of the event loop: timers and signals must have theirs.
    if (error !== undefined) await nextTurn()
  }, options)
}

/** `ownMs`: the time of the call without that of validating. */
async function callOnce(
  { ref, input, answers, secrets }: Target,
  { call, timeoutMs, validates, signal }: LoadOptions,
): Promise<{ readonly error?: CallError | undefined; readonly ownMs?: number }> {
  let question: string | undefined
  try {
    const options = { timeoutMs, answers, secrets: [...secrets.values()], withoutProgress: true }
    const ending = await endingOf(
      call({ ref, input, origin: 'check', options: { ...options, withoutVerdicts: !validates }, signal }),
      event => {
        if (event.type === 'answer' && event.answer.by === 'toolscope') question ??= event.answer.note ?? ''
      },
    )
    const error = question === undefined ? errorOf(ending) : { reason: 'question', message: question }
    return { error, ...(validates && { ownMs: ending.timing.durationMs }) }
  } catch (thrown) {
    return { error: { reason: 'not called', message: messageOf(thrown) } }
  }
}

function errorOf(ending: EndedEvent): CallError | undefined {
  if (ending.type === 'failure') return { reason: ending.reason, message: ending.message }
  if (ending.isError === true) return { reason: 'tool-error', message: 'The tool says that it failed.' }
  if (ending.validation.verdict !== 'invalid') return undefined
  const [issue] = ending.validation.issues
  const message = issue === undefined ? '' : issueSentence(issue)
  return { reason: 'invalid output', message }
}
