/** Writes finished calls to the store behind the calls' backs: a call never waits for the disk. */

import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import type { CallEvent } from '../../core/call/invocation.ts'
import { toAppError } from '../../core/errors.ts'
import type { InvocationRecord } from '../store/invocation-record.ts'
import { insertInvocations, type PackedInvocation, packInvocation } from '../store/invocations.ts'
import { callRetention, pruneInvocations, type Retention } from '../store/retention.ts'
import type { Store } from '../store/store.ts'
import { CallNotes } from './call-notes.ts'
import { type CallFacts, recordOf } from './record.ts'

/** Calls that end together are written together. */
const GATHER_MS = 10
const MAX_AT_ONCE = 200
/** Calls that wait to be written; beyond, the newest are let go rather than the program's memory. */
const MAX_WAITING = 5_000
/** How long a call that has ended waits for its version to be known. */
const VERSION_WAIT_MS = 1_000
const THIN_OUT_EVERY_MS = 10 * 60_000
const THIN_OUT_EVERY_ROWS = 1_000

interface Waiting {
  readonly record: InvocationRecord
  readonly done: (thrown?: unknown) => void
}

export class History {
  private readonly store: Store
  private readonly retention: Retention | null
  private readonly waiting: Waiting[] = []
  private timer: NodeJS.Timeout | undefined
  private readonly thinner: NodeJS.Timeout | undefined
  private draining: Promise<void> | undefined
  private sinceThinned = 0
  /** Calls that have ended and are not yet turned into records. */
  private readonly recording = new Set<Promise<void>>()

  /** @param retention null: nothing is written */
  constructor(store: Store, retention: Retention | null = callRetention) {
    this.store = store
    this.retention = retention
    if (retention === null) return
    this.thinner = setInterval(() => void this.thin(), THIN_OUT_EVERY_MS)
    this.thinner.unref()
  }

  /** The same events, noted on the way. What goes wrong with the notes never reaches the call. */
  async *recorded(events: AsyncIterable<CallEvent>, facts: CallFacts): AsyncGenerator<CallEvent> {
    const notes = new CallNotes()
    try {
      for await (const event of events) {
        notes.add(event)
        yield event
      }
    } finally {
      this.recordLater(notes, facts)
    }
  }

  /** The caller has its ending already: the record is made in a later turn. */
  private recordLater(notes: CallNotes, facts: CallFacts): void {
    if (this.retention === null) return
    const done = this.record(notes, facts).finally(() => this.recording.delete(done))
    this.recording.add(done)
  }

  private async record(notes: CallNotes, facts: CallFacts): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
    const version = await Promise.race([
      facts.version,
      setTimeoutPromise(VERSION_WAIT_MS, undefined, { ref: false }),
    ])
    try {
      const record = recordOf(notes, facts, version)
      if (record !== null) this.add(record).catch(() => undefined)
    } catch {
      // A payload that cannot be recorded: the call itself went well.
    }
  }

  /** Resolves once the call is in the database; rejects with AppError `store-failed` where there is no store. */
  add(record: InvocationRecord): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length >= MAX_WAITING) {
        reject(new Error('too many calls wait to be written'))
        return
      }
      this.waiting.push({ record, done: thrown => (thrown === undefined ? resolve() : reject(thrown)) })
      this.timer ??= setTimeout(() => this.drain(), GATHER_MS)
    })
  }

  /** Resolves when all that was added so far is written, or has failed. */
  async flush(): Promise<void> {
    await Promise.all(this.recording)
    while (this.waiting.length > 0 || this.draining !== undefined) {
      this.drain()
      await this.draining
    }
  }

  async close(): Promise<void> {
    clearInterval(this.thinner)
    await this.flush()
  }

  private drain(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    this.draining ??= this.writeAll().finally(() => {
      this.draining = undefined
      // Added after the last look, or while history was thinned out.
      if (this.waiting.length > 0) this.drain()
    })
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.length > 0) await this.write(this.waiting.splice(0, MAX_AT_ONCE))
    if (this.sinceThinned >= THIN_OUT_EVERY_ROWS) await this.thin()
  }

  private async write(batch: readonly Waiting[]): Promise<void> {
    const packed: { one: Waiting; row: PackedInvocation }[] = []
    for (const one of batch) {
      try {
        packed.push({ one, row: await packInvocation(one.record) })
      } catch (thrown) {
        one.done(thrown)
      }
    }
    if (packed.length === 0) return
    try {
      await this.insert(packed)
    } catch (thrown) {
      // One that the database refuses must not take the others with it.
      if (packed.length > 1 && toAppError(thrown).code !== 'store-failed')
        for (const each of packed) await this.insert([each]).catch(each.one.done)
      else for (const { one } of packed) one.done(thrown)
    }
  }

  private async insert(packed: readonly { one: Waiting; row: PackedInvocation }[]): Promise<void> {
    await insertInvocations(
      this.store,
      packed.map(({ row }) => row),
    )
    this.sinceThinned += packed.length
    for (const { one } of packed) {
      one.done()
      this.store.announce({ kind: 'invocation', id: one.record.id })
    }
  }

  /** Never rejects: what could not be thinned out now is so later. */
  private async thin(): Promise<void> {
    this.sinceThinned = 0
    if (this.retention === null) return
    const deleted = await pruneInvocations(this.store, this.retention).catch(() => 0)
    if (deleted > 0) this.store.announce({ kind: 'invocation', id: '*' })
  }
}
