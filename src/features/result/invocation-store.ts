import { AppError, toAppError } from '../../../core/errors.ts'
import { findOpenQuestion } from '../../../core/tool/call-state.ts'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import type { Backend, RequestTo } from '../../api/backend.ts'
import { isText, storage, storedList } from '../../ui/storage.ts'
import { createStore, type ValueStore } from '../../ui/value-store.ts'
import { addEvents, type InvocationState, localFailure, startInvocation } from './invocation-state.ts'

interface CallSlot {
  readonly state: ValueStore<InvocationState | undefined>
  abort: AbortController | undefined
  /** Resolves when the server has started the newest call. */
  callId?: Promise<string>
}

/** The last call of each tool, which is kept while the user is at another tool. */
const slots = new Map<string, CallSlot>()

export interface RunningCall {
  readonly ref: string
  /** Whether its server waits for an answer. */
  readonly asks: boolean
}

/** The running calls, in the order in which they began or asked. Output does not change it. */
export const runningCalls = createStore<readonly RunningCall[]>([])

/** The number of tools whose results are kept; the least recently used one is removed first. */
const maxSlots = 100

/** Milliseconds between two updates of the state while output streams in. */
const updateMs = 60

function getOrCreateSlot(ref: string): CallSlot {
  const found = slots.get(ref)
  if (found) {
    slots.delete(ref)
    slots.set(ref, found)
    return found
  }
  for (const [oldest, slot] of slots) {
    if (slots.size < maxSlots) break
    if (!slot.abort) slots.delete(oldest)
    else break
  }
  const slot: CallSlot = { state: createStore<InvocationState | undefined>(undefined), abort: undefined }
  slots.set(ref, slot)
  return slot
}

export function getInvocationStore(ref: string): ValueStore<InvocationState | undefined> {
  return getOrCreateSlot(ref).state
}

/** Shows a call of the history as the last one of its tool, unless a call is running. */
export function showStoredCall(state: InvocationState): void {
  const slot = getOrCreateSlot(state.ref)
  if (!slot.abort) slot.state.set(state)
}

/** Milliseconds for the request that cancels a call, before the page only closes its connection. */
const maxCancelMs = 1_000

/**
 * Cancels the tool's running call, if any: the server then ends the process. It is cancelled by a request, because a
 * task outlives the connection, and the server may have made a task that the page does not know yet.
 */
export function cancelCall(ref: string, backend?: Backend): void {
  const slot = slots.get(ref)
  const { task, ending } = slot?.state.get() ?? {}
  const { abort: running, callId } = slot ?? {}
  if (running === undefined) return
  if (backend === undefined || callId === undefined || ending) {
    running.abort()
    return
  }
  const hasTask = task !== undefined
  callId
    .then(id => backend.request('POST /api/invocations/{id}/cancel', { params: { id } }))
    .then(
      // A task's call ends with what became of the task.
      ({ cancelled }) => (cancelled && hasTask) || running.abort(),
      () => running.abort(),
    )
  if (!hasTask) setTimeout(() => running.abort(), maxCancelMs)
}

/** Publishes the state of a running call, or its end. */
function show(slot: CallSlot, state: InvocationState): void {
  slot.state.set(state)
  const { ref, ending } = state
  const asks = findOpenQuestion(state) !== undefined
  const calls = runningCalls.get()
  const known = calls.find(call => call.ref === ref)
  if (ending ? !known : known?.asks === asks) return
  const others = calls.filter(call => call !== known)
  runningCalls.set(ending ? others : [...others, { ref, asks }])
}

export type PageCallRequest = RequestTo<'POST /api/invocations'>['body'] & { readonly inputText: string }

/** Calls a tool, and cancels a running call of the same tool first. Never rejects. */
export async function startCall(backend: Backend, request: PageCallRequest): Promise<void> {
  const { ref, inputText } = request
  const { taskId } = request.options ?? {}
  if (taskId !== undefined) {
    const { state, abort: running } = getOrCreateSlot(ref)
    if (running !== undefined && state.get()?.task?.taskId === taskId) return
    // A task of the tool that is followed now is left to its server.
    running?.abort()
  } else cancelCall(ref, backend)
  const slot = getOrCreateSlot(ref)
  const abort = new AbortController()
  let resolveId: (id: string) => void = () => {}
  slot.abort = abort
  slot.callId = new Promise(resolve => {
    resolveId = resolve
  })
  let state = startInvocation(ref, inputText, performance.now())
  show(slot, state)

  let pending: CallEvent[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    state = addEvents(state, pending)
    pending = []
    // A newer call of the same tool may own the slot now.
    if (slot.abort === abort) show(slot, state)
  }
  const addEvent = (event: CallEvent) => {
    if (event.type === 'started') {
      rememberCall(ref, event.id)
      resolveId(event.id)
    }
    pending.push(event)
    timer ??= setTimeout(flush, updateMs)
  }

  try {
    const { signal } = abort
    const body = { ...request, options: { origin: 'page' as const, ...request.options, asks: true } }
    for await (const event of backend.requestLines('POST /api/invocations', { body, signal })) addEvent(event)
    flush()
    if (!state.ending)
      addEvent(
        localFailure(state, { reason: 'network', message: 'The answer was cut off.' }, performance.now()),
      )
  } catch (thrown) {
    flush()
    if (thrown instanceof AppError && state.started === undefined) state = { ...state, isRefused: true }
    addEvent(toFailureEvent(thrown, abort.signal, state))
  }
  flush()
  if (slot.abort === abort) slot.abort = undefined
}

function toFailureEvent(thrown: unknown, signal: AbortSignal, state: InvocationState): CallEvent {
  const now = performance.now()
  if (signal.aborted) return localFailure(state, { reason: 'cancelled', message: 'Cancelled.' }, now)
  if (thrown instanceof TypeError || thrown instanceof SyntaxError) {
    const hint = 'The Toolscope server may have been stopped.'
    return localFailure(state, { reason: 'network', message: 'The connection was lost.', hint }, now)
  }
  const { code, title, detail, hint, output } = toAppError(thrown).toShape()
  const stderr = output === undefined ? {} : { stderr: output }
  const reason = code === 'not-approved' || code === 'pin-unreadable' ? 'not-approved' : 'network'
  return localFailure(state, { reason, message: `${title}: ${detail}`, hint, ...stderr }, now)
}

/** The id of each tool's last call in this browser, so that a reload can read its result from the history. */
const lastCallsKey = 'toolscope:last-calls'

/** The number of stored calls; the oldest ones are removed first. */
const maxCalls = 100

/** A tool's ref and the id of its call. */
type LastCall = readonly [ref: string, id: string]

const readCalls = () => storedList(lastCallsKey, isLastCall)

function isLastCall(value: unknown): value is LastCall {
  return Array.isArray(value) && value.length === 2 && value.every(isText)
}

/** Returns the id of the tool's last call; undefined if this browser has stored none. */
export function findLastCallId(ref: string): string | undefined {
  return readCalls().find(call => call[0] === ref)?.[1]
}

/** Reads the storage again before it writes, because another tab may have written too. */
function rememberCall(ref: string, id: string): void {
  const others = readCalls().filter(call => call[0] !== ref)
  storage.set(lastCallsKey, JSON.stringify([[ref, id], ...others].slice(0, maxCalls)))
}
