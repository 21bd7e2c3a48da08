/**
 * Follows a task, which a server made of a call, to its result. Sources: MCP 2025-11-25, basic/utilities/tasks
 * (SEP-1686), and the extension `io.modelcontextprotocol/tasks` (SEP-2663).
 */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client'
import { toErrorMessage } from '../../core/errors.ts'
import { isObject, own } from '../../core/json/json.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import {
  type CallTask,
  describeTask,
  getPollMs,
  hasTaskEnded,
  leftTask,
  readTask,
} from '../../core/tool/task.ts'
import { listenForAbort, runWithSignals } from '../process/run-with-limit.ts'
import type { FailureEvent } from '../sources/run-failure.ts'
import { anything } from './lenient-client.ts'
import type { McpConnection } from './mcp-connection.ts'

/** Returns the id of the task that a question of a server belongs to. */
export function readRelatedTask(params: unknown): string | undefined {
  const meta = isObject(params) ? own(params, '_meta') : undefined
  const related = isObject(meta) ? own(meta, 'io.modelcontextprotocol/related-task') : undefined
  const taskId = isObject(related) ? own(related, 'taskId') : undefined
  return typeof taskId === 'string' ? taskId : undefined
}

/** Milliseconds before a look that failed is repeated; more for each. */
const retryMs = 1_000
/** A look at the task may fail this often in a row, for example while its server is restarted. */
const maxFailedLooks = 4

export interface TaskParts {
  /** The revision has tasks as an extension: `tasks/get` brings the questions and the result. */
  readonly isModern: boolean
  /** Sends a request and returns the server's result. */
  readonly send: (
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) => Promise<unknown>
  /** Receives each state that differs from the one before. */
  readonly report: (task: CallTask) => void
  /** Answers the questions of a modern task by their names. */
  readonly answer: (
    requests: Readonly<Record<string, unknown>>,
  ) => Promise<Record<string, unknown> | undefined>
  readonly signal: AbortSignal
}

/** The task ended without a result. */
export class TaskEnded extends Error {}

/**
 * Looks at the task until it ends, and returns its result as the server sent it. Throws TaskEnded, ProtocolError (the
 * error of the task, or the server does not know the task), errors of the connection, and if the signal is aborted.
 */
export async function followTask(first: CallTask, parts: TaskParts): Promise<unknown> {
  const { taskId } = first
  let task = first
  parts.report(task)
  const look: Look = async (signal, waitMs = getPollMs(task), tries = maxFailedLooks) => {
    await setTimeoutPromise(waitMs, undefined, { signal })
    const found = await sendPatiently(parts, taskId, { signal, tries })
    const next = readTask(found)
    if (next === undefined || next.taskId !== taskId)
      throw new TaskEnded(`The server’s answer to tasks/get does not describe the task ${taskId}.`)
    if (isChanged(task, next)) parts.report(next)
    task = next
    return found
  }
  return parts.isModern ? followModern(look, () => task, parts) : followLegacy(look, () => task, parts)
}

/** Waits, and then asks for the state of the task. */
type Look = (signal: AbortSignal, waitMs?: number, tries?: number) => Promise<unknown>

/** `tasks/result` waits for the end of the task, and only while it waits can the server ask something. */
async function followLegacy(look: Look, task: () => CallTask, { send, signal }: TaskParts): Promise<unknown> {
  const { taskId } = task()
  while (!hasTaskEnded(task()) && task().status !== 'input_required') await look(signal)
  if (task().status === 'cancelled') throw cancelledByServer(task())
  const ended = new AbortController()
  const result = send('tasks/result', { taskId }, signal).finally(() => ended.abort())
  // Its state is read on while the result is waited for; an error of these looks is also one of the result.
  const looks = runWithSignals([signal, ended.signal], async stop => {
    while (!hasTaskEnded(task())) await look(stop)
  }).catch(() => {})
  try {
    const found = await result
    await looks
    // The result may come before the look that tells its status.
    if (!hasTaskEnded(task())) await look(signal, 0, 1).catch(() => {})
    return found
  } catch (thrown) {
    await looks
    if (task().status === 'cancelled') throw cancelledByServer(task())
    throw thrown
  }
}

/** `tasks/get` brings questions, and at the end the result or the error. */
async function followModern(
  look: Look,
  task: () => CallTask,
  { send, answer, signal }: TaskParts,
): Promise<unknown> {
  const { taskId } = task()
  const answered = new Set<string>()
  for (;;) {
    const found = await look(signal)
    const fields = isObject(found) ? found : {}
    const requests = own(fields, 'inputRequests')
    if (task().status === 'input_required' && isObject(requests)) {
      // A server may list a question again until it has processed the answer.
      const fresh = Object.entries(requests).filter(([name]) => !answered.has(name))
      const inputResponses = await answer(Object.fromEntries(fresh))
      for (const [name] of fresh) answered.add(name)
      if (inputResponses !== undefined) await send('tasks/update', { taskId, inputResponses }, signal)
    }
    if (task().status === 'completed') return own(fields, 'result')
    if (task().status === 'cancelled') throw cancelledByServer(task())
    if (task().status !== 'failed') continue
    const error = own(fields, 'error')
    const code = isObject(error) ? own(error, 'code') : undefined
    const message = isObject(error) ? own(error, 'message') : undefined
    if (typeof code !== 'number') throw new TaskEnded(`The task failed: ${describeTask(task())}`)
    throw new ProtocolError(code, String(message), isObject(error) ? own(error, 'data') : undefined)
  }
}

const cancelledByServer = (task: CallTask) =>
  new TaskEnded(`The server cancelled the task. Its last state is ${describeTask(task)}.`)

async function sendPatiently(
  { send }: TaskParts,
  taskId: string,
  { signal, tries }: { readonly signal: AbortSignal; readonly tries: number },
): Promise<unknown> {
  for (let failed = 1; ; failed++)
    try {
      return await send('tasks/get', { taskId }, signal)
    } catch (thrown) {
      if (signal.aborted || !mayPass(thrown) || failed === tries) throw thrown
      await setTimeoutPromise(failed * retryMs, undefined, { signal })
    }
}

/** Whether a request that failed may succeed later: the server may be starting again. */
function mayPass(thrown: unknown): boolean {
  if (thrown instanceof SdkHttpError) return thrown.status >= 500
  if (!(thrown instanceof SdkError)) return !(thrown instanceof ProtocolError)
  return thrown.code !== SdkErrorCode.ConnectionClosed && thrown.code !== SdkErrorCode.NotConnected
}

const isChanged = (before: CallTask, after: CallTask) =>
  before.status !== after.status ||
  before.statusMessage !== after.statusMessage ||
  before.lastUpdatedAt !== after.lastUpdatedAt

/** Milliseconds for the answer to a request that makes a task, after the call was stopped. */
const maxCreationMs = 1_000

/**
 * Runs a request that may make a task, with a signal that aborts a moment after `stop`: the server may have made the
 * task already, and only its answer names it.
 */
export async function runWithDelay<Result>(
  stop: AbortSignal,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const delayed = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const stopListening = listenForAbort([stop], reason => {
    timer = setTimeout(() => delayed.abort(reason), maxCreationMs)
  })
  try {
    return await run(delayed.signal)
  } finally {
    stopListening()
    clearTimeout(timer)
  }
}

/** The server may continue the task: names it, and how its result can be asked for later. */
export function leaveTask(
  { ownsProcess }: Pick<McpConnection, 'ownsProcess'>,
  { taskId }: CallTask,
  ending: FailureEvent,
): FailureEvent {
  const message = `The server continues its task ${taskId}${ownsProcess ? ' while it runs' : ''}.`
  const hint =
    '“Get the result” in the history, or `toolscope call TOOL SOURCE --task ID`, waits for its end.'
  const meta = { ...ending.meta, [leftTask]: taskId }
  if (ending.reason === 'timeout' || ending.reason === 'cancelled') return { ...ending, message, hint, meta }
  const hints = ending.hint === undefined ? hint : `${ending.hint} ${hint}`
  return { ...ending, message: `${ending.message} ${message}`, hint: hints, meta }
}

/** Cancels the task at its server, and reports that it did. */
export async function cancelTask(
  { client }: Pick<McpConnection, 'client'>,
  task: CallTask,
  { ending, emit }: { readonly ending: FailureEvent; readonly emit: (event: SessionEvent) => void },
): Promise<FailureEvent> {
  const { taskId } = task
  const first = ending.reason === 'cancelled' ? 'Cancelled.' : ending.message
  const request = { method: 'tasks/cancel', params: { taskId } }
  try {
    await client.request(request, anything, { timeout: cancelTaskMs })
    emit({ type: 'task', task: { ...task, status: 'cancelled' } })
    return { ...ending, message: `${first} The server cancelled its task ${taskId}.` }
  } catch (thrown) {
    const why = toErrorMessage(thrown).slice(0, 300)
    return { ...ending, message: `${first} The server did not cancel its task ${taskId}: ${why}` }
  }
}

const cancelTaskMs = 3_000
