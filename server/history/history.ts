/**
 * Records calls: as unfinished before they start, and again with their ending. Errors of history never affect a call.
 */

import { setImmediate, setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { CallFold, type CallState } from '../../core/tool/call-state.ts'
import type { CallEvent } from '../../core/tool/invocation.ts'
import type { InvocationRecord } from '../store/invocation-record.ts'
import { pruneInvocations, rowsPerRun } from '../store/invocations.ts'
import { callRetention, type Retention } from '../store/retention.ts'
import type { Store } from '../store/store.ts'
import { buildRecord, type CallFacts, cancelledEnding } from './record.ts'
import { RecordWriter } from './record-writer.ts'
import { Spool } from './spool.ts'

/** How long a call waits for the store before it starts, if there is no spool. */
const maxStartMs = 100
/** A longer call is stored as unfinished. Until then it is only in the spool, which costs less. */
const storeAfterMs = 250
/** How long the record of an ended call waits for its version. */
const versionWaitMs = 1_000
/** How long `close` waits for calls that are ending, and for versions. */
const endWaitMs = 1_000
const pruneEveryMs = 10 * 60_000

export interface HistoryOptions {
  /** Null: nothing is written. */
  readonly retention?: Retention | null | undefined
  /** The folder of the spool; absent: there is no spool. */
  readonly dataDirectory?: string | undefined
  readonly say?: ((line: string) => void) | undefined
}

/** Ends a call that did not end by itself; does nothing for other calls. */
function endCall(fold: CallFold, message: string): void {
  const { started } = fold.state()
  if (started !== undefined) fold.add(cancelledEnding(started, message))
}

export class History {
  private readonly store: Store
  private readonly retention: Retention | null
  private readonly writer: RecordWriter
  private readonly spool: Spool | undefined
  private readonly pruneTimer: NodeJS.Timeout | undefined
  private sincePruned = 0
  private isPruning = false
  /** Calls whose last record has not been made yet. */
  private readonly open = new Map<CallFold, CallFacts>()
  /** Resolve when these calls are recorded. */
  private readonly closing = new Set<Promise<void>>()
  private readonly onExit = () => this.spoolAll()

  constructor(store: Store, { retention = callRetention, dataDirectory, say }: HistoryOptions = {}) {
    this.store = store
    this.retention = retention
    const { where } = store.status()
    this.spool = dataDirectory === undefined ? undefined : new Spool({ dataDirectory, where })
    this.writer = new RecordWriter(store, {
      spool: this.spool,
      say,
      onWritten: count => this.pruneAfter(count),
    })
    if (retention === null) return
    this.pruneTimer = setInterval(() => void this.prune(), pruneEveryMs)
    this.pruneTimer.unref()
    if (this.spool !== undefined) process.once('exit', this.onExit)
  }

  /**
   * Passes the events on. The first one waits until the call is recorded as unfinished: only then does its program
   * start.
   */
  async *recorded(events: AsyncIterable<CallEvent>, facts: CallFacts): AsyncGenerator<CallEvent> {
    if (this.retention === null) return yield* events
    const fold = new CallFold()
    this.open.set(fold, facts)
    let removeStart = () => {}
    try {
      for await (const event of events) {
        fold.add(event)
        if (event.type === 'started') removeStart = await this.recordStart(fold.state(), facts)
        yield event
      }
    } finally {
      const closed = this.recordEnd(fold, facts).finally(() => {
        removeStart()
        this.closing.delete(closed)
      })
      this.closing.add(closed)
    }
  }

  /** Resolves once the record is in the store; rejects with AppError `store-failed` if it is only in the spool. */
  add(record: InvocationRecord): Promise<void> {
    return this.writer.add(record)
  }

  /** Writes the records that earlier processes left in the spool to the store. Never rejects. */
  recover(): Promise<void> {
    return this.writer.recover()
  }

  /** Returns the records in memory, the bytes in the spool, and how many records were lost since the start. */
  backlog(): { readonly waiting: number; readonly spoolBytes: number; readonly lost: number } {
    return { ...this.writer.counts, spoolBytes: this.spool?.countBytes() ?? 0 }
  }

  /** Resolves when all calls that have ended are in the store or in the spool. */
  async flush(): Promise<void> {
    await Promise.all([this.writer.flush(), ...this.closing])
  }

  /** Resolves within about two seconds. Running calls are recorded as cancelled. */
  async close(): Promise<void> {
    clearInterval(this.pruneTimer)
    process.off('exit', this.onExit)
    const deadline = performance.now() + endWaitMs
    // The record of a call that has just ended is made in the next turn.
    await setImmediate()
    while (this.open.size > 0 && performance.now() < deadline) await setTimeoutPromise(1)
    for (const record of this.lastRecords()) this.writer.add(record).catch(() => undefined)
    await this.writer.close()
    this.spool?.close()
  }

  /** Returns a function that removes the call from the spool once its end is recorded. */
  private async recordStart(call: CallState, facts: CallFacts): Promise<() => void> {
    const record = buildRecord(call, facts)
    if (record === null) return () => {}
    const remove = this.spool?.addAlone(record)
    if (remove === undefined) {
      const written = this.writer.add(record, 0).catch(() => undefined)
      await Promise.race([written, setTimeoutPromise(maxStartMs, undefined, { ref: false })])
      return () => {}
    }
    const timer = setTimeout(() => void this.writer.add(record, 0).then(remove, () => {}), storeAfterMs)
    timer.unref()
    return () => {
      clearTimeout(timer)
      remove()
    }
  }

  /** The caller already has the ending: the record is made in a later turn. */
  private async recordEnd(fold: CallFold, facts: CallFacts): Promise<void> {
    endCall(fold, 'The client disconnected before the call ended.')
    await setImmediate()
    const wait = setTimeoutPromise(versionWaitMs, undefined, { ref: false })
    const version = await Promise.race([facts.version, wait])
    // `close` may have recorded it already.
    if (!this.open.delete(fold)) return
    const record = buildRecord(fold.state(), facts, version)
    if (record !== null) await this.writer.add(record).catch(() => undefined)
  }

  /** Returns the records of calls that have not ended, or whose version is not known yet. */
  private lastRecords(): InvocationRecord[] {
    const records = [...this.open].flatMap(([fold, facts]) => {
      endCall(fold, 'Toolscope was stopped while this call ran.')
      return buildRecord(fold.state(), facts) ?? []
    })
    this.open.clear()
    return records
  }

  private spoolAll(): void {
    this.writer.spoolRest()
    this.writer.toSpool(this.lastRecords())
    this.spool?.close()
  }

  private pruneAfter(count: number): void {
    this.sincePruned += count
    if (this.retention !== null && this.sincePruned >= rowsPerRun(this.retention)) void this.prune()
  }

  /** Never rejects: the next run deletes what this one could not. */
  private async prune(): Promise<void> {
    this.sincePruned = 0
    if (this.retention === null || this.isPruning) return
    this.isPruning = true
    await pruneInvocations(this.store, this.retention).catch(() => 0)
    this.isPruning = false
  }
}
