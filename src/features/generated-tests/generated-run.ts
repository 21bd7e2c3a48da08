/** The last run of generated tests of each tool and source, which goes on while the user is at another tab or tool. */
import type { GeneratedEvent } from '../../../core/api/generated-checks.ts'
import type {
  GeneratedFinding,
  GeneratedPlan,
  GeneratedProgress,
  GeneratedReport,
} from '../../../core/checks/generated-checks.ts'
import { AppError } from '../../../core/errors.ts'
import type { Backend } from '../../api/backend.ts'
import { createStore, type ValueStore } from '../../ui/value-store.ts'

/** The tool, or the source whose tools are called. */
export type RunTarget = { readonly ref: string } | { readonly source: string }

export interface RunLimits {
  readonly seed: number
  readonly maxCalls: number
}

const defaultLimits: RunLimits = { seed: 1, maxCalls: 500 }

export interface TestRun {
  /** `planned`: the inputs are listed, and nothing was called yet. */
  readonly state: 'idle' | 'planning' | 'planned' | 'running' | 'stopping' | 'ended'
  readonly limits: RunLimits
  /** The plan with all inputs; absent until the dry run has answered. */
  readonly plan?: GeneratedPlan
  readonly progress?: GeneratedProgress
  readonly findings: readonly GeneratedFinding[]
  /** Absent while it runs, and after a run that failed. */
  readonly report?: GeneratedReport
  readonly error?: unknown
}

interface RunSlot {
  readonly state: ValueStore<TestRun>
  abort: AbortController | undefined
  /** The id of the running run, for its stop. */
  id: string | undefined
}

const slots = new Map<string, RunSlot>()

/** The number of targets whose runs are stored; the oldest one that does not run is removed first. */
const maxSlots = 50

function getOrCreateSlot(target: RunTarget): RunSlot {
  const key = JSON.stringify(target)
  const found = slots.get(key)
  if (found !== undefined) return found
  for (const [oldest, slot] of slots) {
    if (slots.size < maxSlots) break
    if (slot.abort === undefined) slots.delete(oldest)
  }
  const idle: TestRun = { state: 'idle', limits: defaultLimits, findings: [] }
  const slot: RunSlot = { state: createStore(idle), abort: undefined, id: undefined }
  slots.set(key, slot)
  return slot
}

export function getRunStore(target: RunTarget): ValueStore<TestRun> {
  return getOrCreateSlot(target).state
}

/** Sets the limits of the next run. */
export function setRunLimits(target: RunTarget, change: Partial<RunLimits>): void {
  const { state } = getOrCreateSlot(target)
  state.set({ ...state.get(), limits: { ...state.get().limits, ...change } })
}

/** Lists the inputs and calls nothing. Never rejects. */
export async function planRun(backend: Backend, target: RunTarget): Promise<void> {
  const { limits } = getRunStore(target).get()
  await followRun(backend, target, { dryRun: true }, { state: 'planning', limits, findings: [] })
}

/**
 * Calls the tools with the inputs of the plan. Never rejects.
 *
 * @param confirmed whether the user accepted the risk of tools that are not called by default
 */
export async function startRun(backend: Backend, target: RunTarget, confirmed: boolean): Promise<void> {
  const { limits, plan } = getRunStore(target).get()
  const start: TestRun = { state: 'running', limits, findings: [], ...(plan && { plan }) }
  await followRun(backend, target, { confirmed }, start)
}

/** Milliseconds until the connection is closed if the server does not end the run by itself. */
const maxStopMs = 10_000

/** Ends a run after its current call, with its report. */
export function stopRun(backend: Backend, target: RunTarget): void {
  const slot = getOrCreateSlot(target)
  const { abort, id } = slot
  if (abort === undefined) return
  if (id === undefined) {
    abort.abort()
    return
  }
  slot.state.set({ ...slot.state.get(), state: 'stopping' })
  backend.request('POST /api/generated-checks/{id}/stop', { params: { id } }).then(
    ({ stopped }) => stopped || abort.abort(),
    () => abort.abort(),
  )
  setTimeout(() => abort.abort(), maxStopMs)
}

/** Returns to the state before the plan. */
export function closeRun(target: RunTarget): void {
  const { state, abort } = getOrCreateSlot(target)
  abort?.abort()
  state.set({ state: 'idle', limits: state.get().limits, findings: [] })
}

/** Milliseconds between two updates of the state. */
const updateMs = 60

async function followRun(
  backend: Backend,
  target: RunTarget,
  mode: { readonly dryRun?: boolean; readonly confirmed?: boolean },
  start: TestRun,
): Promise<void> {
  const slot = getOrCreateSlot(target)
  slot.abort?.abort()
  const abort = new AbortController()
  slot.abort = abort
  slot.id = undefined
  let current = start
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (slot.abort !== abort) return
    const isStopping = slot.state.get().state === 'stopping' && current.state === 'running'
    slot.state.set(isStopping ? { ...current, state: 'stopping' } : current)
  }
  slot.state.set(start)
  try {
    const body = { ...target, ...start.limits, ...mode }
    for await (const event of backend.requestLines('POST /api/generated-checks', {
      body,
      signal: abort.signal,
    })) {
      if (event.type === 'plan') slot.id = event.plan.id
      current = addEvent(current, event)
      timer ??= setTimeout(flush, updateMs)
    }
    if (current.state === 'planning' || current.state === 'running')
      throw new AppError('internal', 'The report was cut off. The Toolscope server may have been stopped.')
  } catch (thrown) {
    // The user ended it before the plan or its report: what was found stays.
    const isEarly = abort.signal.aborted && current.progress === undefined
    current = isEarly
      ? { state: 'idle', limits: current.limits, findings: [] }
      : { ...current, state: 'ended', ...(abort.signal.aborted ? {} : { error: thrown }) }
  }
  flush()
  if (slot.abort === abort) slot.abort = undefined
}

function addEvent(run: TestRun, event: GeneratedEvent): TestRun {
  switch (event.type) {
    case 'plan':
      // The plan of a dry run has the inputs; the one of the run that follows does not.
      return event.plan.isDryRun
        ? { ...run, state: 'planned', plan: event.plan }
        : { ...run, plan: run.plan ?? event.plan }
    case 'progress':
      return { ...run, progress: event.progress }
    case 'finding':
      return { ...run, findings: [...run.findings, event.finding] }
    case 'end':
      return { ...run, state: 'ended', report: event.report }
    case 'error': {
      const { code, detail, ...more } = event.error
      return { ...run, state: 'ended', error: new AppError(code, detail, more) }
    }
  }
}
