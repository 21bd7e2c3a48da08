/** Writes records of calls to the store, in batches. If the store fails, the records wait in the spool, in order. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { toAppError } from '../../core/errors.ts'
import type { InvocationRecord } from '../store/invocation-record.ts'
import { type PackedInvocation, packInvocation, writeInvocations } from '../store/invocations.ts'
import type { Store } from '../store/store.ts'
import type { Spool } from './spool.ts'

/** Calls that end within this time are written together. */
const gatherMs = 10
const maxBatch = 200
/** Records that wait for a slow store; further ones go to the spool. */
const maxWaiting = 5_000
/** Records in memory if neither the store nor the spool works; further ones are dropped. */
const maxUnspooled = 1_000
/** How often the store is tried again while the spool contains records. */
const retryMs = 2_000
/** How long `close` waits for the store before the rest goes to the spool. */
const closeMs = 1_000

interface WaitingRecord {
  readonly record: InvocationRecord
  readonly done: (thrown?: unknown) => void
}

export interface RecordWriterOptions {
  /** Absent: records that the store does not accept are lost. */
  readonly spool?: Spool | undefined
  /** Called once, when records begin to be lost. */
  readonly say?: ((line: string) => void) | undefined
  readonly onWritten?: (count: number) => void
}

export class RecordWriter {
  private readonly store: Store
  private readonly spool: Spool | undefined
  private readonly say: (line: string) => void
  private readonly onWritten: (count: number) => void
  private readonly waiting: WaitingRecord[] = []
  private current: readonly WaitingRecord[] = []
  private timer: NodeJS.Timeout | undefined
  private retryTimer: NodeJS.Timeout | undefined
  private writing: Promise<void> | undefined
  private recovering: Promise<void> | undefined
  /** Records that neither the store nor the spool accepted: they are tried again together with the spool. */
  private readonly unspooled: InvocationRecord[] = []
  private lost = 0
  private closed = false

  constructor(store: Store, { spool, say = () => {}, onWritten = () => {} }: RecordWriterOptions = {}) {
    this.store = store
    this.spool = spool
    this.say = say
    this.onWritten = onWritten
  }

  /**
   * Resolves once the record is in the store. Rejects with AppError `store-failed` if it is only in the spool.
   *
   * @param afterMs 0 writes at once; a longer time lets records be written together
   */
  add(record: InvocationRecord, afterMs = gatherMs): Promise<void> {
    return new Promise((resolve, reject) => {
      const one = { record, done: (thrown?: unknown) => (thrown === undefined ? resolve() : reject(thrown)) }
      if (this.waiting.length >= maxWaiting) return this.giveUp([one], new Error('too many calls wait'))
      this.waiting.push(one)
      if (afterMs === 0) this.write()
      else this.timer ??= setTimeout(() => this.write(), afterMs)
    })
  }

  /** The records in memory that are not in the store yet, and how many were lost since the start. */
  get counts(): { readonly waiting: number; readonly lost: number } {
    return { waiting: this.waiting.length + this.current.length + this.unspooled.length, lost: this.lost }
  }

  /** Resolves when all records added so far are in the store or in the spool. */
  async flush(): Promise<void> {
    while (this.waiting.length > 0 || this.writing !== undefined) {
      this.write()
      await this.writing
    }
  }

  /** Writes the records of the spool to the store. Never rejects: it tries again later. */
  recover(): Promise<void> {
    this.recovering ??= this.recoverAll()
      .catch(() => this.retryLater())
      .finally(() => {
        this.recovering = undefined
      })
    return this.recovering
  }

  private async recoverAll(): Promise<void> {
    const write = (records: readonly InvocationRecord[]) =>
      this.insert(records.map(record => ({ record, done: () => {} })))
    await this.spool?.drain(write)
    const count = this.unspooled.length
    if (count > 0) await write(this.unspooled)
    this.unspooled.splice(0, count)
  }

  /** Writes the waiting records for at most a second; the rest goes to the spool. */
  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.retryTimer)
    await Promise.race([this.flush(), setTimeoutPromise(closeMs, undefined, { ref: false })])
    this.spoolRest()
  }

  /** Moves the waiting records to the spool synchronously, because the program may be ending. */
  spoolRest(): void {
    this.closed = true
    clearTimeout(this.timer)
    this.toSpool(this.unspooled.splice(0))
    const rest = [...this.current, ...this.waiting.splice(0)]
    this.current = []
    this.giveUp(rest, new Error('the program ended'))
  }

  private retryLater(): void {
    if (this.closed) return
    this.retryTimer ??= setTimeout(() => {
      this.retryTimer = undefined
      void this.recover()
    }, retryMs).unref()
  }

  private write(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined
      // Records that were added since.
      if (this.waiting.length > 0) this.write()
    })
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) {
      this.current = this.waiting.splice(0, maxBatch)
      try {
        await this.insert(this.current)
        if (this.retryTimer !== undefined) void this.recover()
      } catch (thrown) {
        this.giveUp(this.current, thrown)
      }
      this.current = []
    }
  }

  /**
   * Rejects if the store fails. A record that the store refuses is reported to its `done` and does not affect the
   * others.
   */
  private async insert(batch: readonly WaitingRecord[]): Promise<void> {
    const packed: { one: WaitingRecord; row: PackedInvocation }[] = []
    for (const one of batch) {
      try {
        packed.push({ one, row: await packInvocation(one.record) })
      } catch (thrown) {
        one.done(thrown)
      }
    }
    try {
      await this.insertPacked(packed)
    } catch (thrown) {
      if (toAppError(thrown).code === 'store-failed') throw thrown
      for (const each of packed)
        await this.insertPacked([each]).catch(refused => {
          if (toAppError(refused).code === 'store-failed') throw refused
          each.one.done(refused)
        })
    }
  }

  private async insertPacked(
    packed: readonly { one: WaitingRecord; row: PackedInvocation }[],
  ): Promise<void> {
    if (packed.length === 0) return
    const written = await writeInvocations(
      this.store,
      packed.map(({ row }) => row),
    )
    for (const { one } of packed) one.done()
    this.onWritten(written.length)
  }

  private giveUp(batch: readonly WaitingRecord[], thrown: unknown): void {
    for (const { done } of batch) done(thrown)
    this.toSpool(batch.map(({ record }) => record))
  }

  /** Appends the records to the spool synchronously; they are written to the store later. */
  toSpool(records: readonly InvocationRecord[]): void {
    if (records.length === 0 || this.spool === undefined) return
    const problem = this.spool.append(records)
    this.retryLater()
    if (problem === undefined) return
    const room = this.closed ? 0 : maxUnspooled - this.unspooled.length
    this.unspooled.push(...records.slice(0, room))
    if (records.length <= room) return
    if (this.lost === 0) this.say(`Calls are lost: neither the store nor the spool takes them (${problem}).`)
    this.lost += records.length - room
  }
}
