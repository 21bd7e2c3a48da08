/** The states of a connection to a source, and their transitions. */
import type { SourceStatus } from '../../core/api/sources.ts'
import { AppError } from '../../core/errors.ts'
import type { ListScope } from '../sources/source.ts'

/**
 * - `stopped`: known, but nothing of it runs; it has no list
 * - `opening`: opened for the first time; it has no list yet
 * - `starting`: opened again without a list
 * - `restarting`: opened again; the last good list is still in use
 * - `ready`: its list was read
 * - `degraded`: the newest reading failed or the source went down; the last good list is still in use
 * - `failed`: like `degraded`, but without a list
 * - `closed`: removed from the catalog, or the catalog was closed; final
 */
export type ConnectionState =
  | 'stopped'
  | 'opening'
  | 'starting'
  | 'restarting'
  | 'ready'
  | 'degraded'
  | 'failed'
  | 'closed'

/**
 * - `open`: the user or a changed file asks for a new session
 * - `listRead`, `readFailed`: how a reading of the list ended
 * - `wentDown`: the source stopped answering by itself
 * - `stop`: the user stops it
 * - `close`: it is removed, or the catalog is closed
 */
export type ConnectionEvent = 'open' | 'listRead' | 'readFailed' | 'wentDown' | 'stop' | 'close'

type Row = Readonly<Record<ConnectionEvent, ConnectionState | null>>

const withoutList: Row = {
  open: 'starting',
  listRead: 'ready',
  readFailed: 'failed',
  wentDown: 'failed',
  stop: 'stopped',
  close: 'closed',
}
const withList: Row = { ...withoutList, open: 'restarting', readFailed: 'degraded', wentDown: 'degraded' }

/** Null: the event is ignored, because it is a late report of a session that is no longer wanted. */
const transitions: Record<ConnectionState, Row> = {
  stopped: { ...withoutList, listRead: null, readFailed: null, wentDown: null },
  opening: withoutList,
  starting: withoutList,
  failed: withoutList,
  restarting: withList,
  ready: withList,
  degraded: withList,
  closed: { open: null, listRead: null, readFailed: null, wentDown: null, stop: null, close: null },
}

/** Returns the state after the event; null if the event is ignored. */
export function nextState(state: ConnectionState, event: ConnectionEvent): ConnectionState | null {
  return transitions[state][event]
}

const firstRenewalWaitMs = 250
const maxRenewalWaitMs = 30_000

/**
 * Returns how long to wait before a changed file starts a new session; undefined if no session is started. This stops
 * an endless loop when a program writes one of its own files at every start.
 *
 * @param isSoon the file changed during a start or right after one: the program itself may have written it
 * @param lastWaitMs the wait before the previous session
 */
export function renewalWait(isSoon: boolean, lastWaitMs: number): number | undefined {
  const waitMs = isSoon ? 2 * lastWaitMs + firstRenewalWaitMs : 0
  return waitMs > maxRenewalWaitMs ? undefined : waitMs
}

/** Returns the state that the page shows. */
export function toSourceStatus(state: ConnectionState): SourceStatus {
  if (state === 'restarting') return 'starting'
  return state === 'closed' ? 'stopped' : state
}

/** Counts the changes of a list: a reading in progress may miss those after its beginning. */
export class ListChanges {
  /** Whether a reading is in progress: its list is not that of the catalog yet. */
  isReading = false
  private isPartial = false
  private count = 0
  private countBefore = 0
  private countRead = 0

  /** The source reported a change, or may have changed without a report. */
  add(): void {
    this.count += 1
  }

  /** @param scope `expired` leaves out the lists that are still fresh */
  beginReading(scope: ListScope): void {
    this.isReading = true
    this.isPartial = scope === 'expired'
    this.countBefore = this.count
  }

  /** Called after a good reading. */
  endReading(): void {
    this.countRead = this.countBefore
  }

  /** Whether the last reading, which may be in progress, leaves out a list or may miss a change. */
  get isMissed(): boolean {
    return this.isPartial || this.countBefore < this.count
  }

  /** Whether there was a change since the beginning of the last good reading. */
  get isUnread(): boolean {
    return this.countRead < this.count
  }
}

export const incompleteError = (what: string) =>
  new AppError('source-failed', what, {
    hint: 'A build may be under way: the list is read again when its files change. If not, run the build (`argc build`).',
  })
