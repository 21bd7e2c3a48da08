/**
 * The messages of one source, the newest in memory. Emitting a message stores a reference to its text; it is parsed and
 * masked when somebody reads (wire-reader.ts).
 */

import { MessageMasker, type MessageMaskerFacts } from '../../core/wire/mask-message.ts'
import type { RecordedManifest, RecordedSource } from '../../core/wire/recording.ts'
import type { EmittedMessage, WireMessage, WireSink } from '../../core/wire/wire-message.ts'

const maxMessages = 10_000
const maxCharacters = 64 * 1024 * 1024

export interface SourceWireFacts extends MessageMaskerFacts {
  /** Describes the source for the head of a recording. */
  readonly describe: () => Omit<RecordedSource, 'type' | 'source'>
  /** Returns its list of tools; undefined before it was read. */
  readonly manifest: () => Promise<Omit<RecordedManifest, 'type' | 'source' | 'atMs'> | undefined>
}

export interface StoredMessage {
  readonly seq: number
  readonly atMs: number
  readonly emitted: EmittedMessage
}

export class SourceWire {
  readonly masker: MessageMasker
  readonly facts: SourceWireFacts
  /** ISO 8601, UTC. */
  readonly startedAt = new Date().toISOString()
  isPaused = false
  /** How many messages were dropped because the wire was full, since it was cleared. */
  dropped = 0
  /** The number of the newest message; 0 before the first. */
  lastSeq = 0
  /** The number of the newest message whose secrets and facts the reader has found. */
  readSeq = 0
  /** The same moment, as `performance.now()`. */
  readonly startedMs = performance.now()
  /** Messages from `first` on. */
  private stored: (StoredMessage | undefined)[] = []
  private first = 0
  private characters = 0
  private readonly listeners = new Set<(message: StoredMessage) => void>()
  /** Resolved with the next message. */
  private waiting: (() => void)[] = []

  constructor(facts: SourceWireFacts) {
    this.facts = facts
    this.masker = new MessageMasker(facts)
  }

  readonly sink: WireSink = emitted => {
    if (this.isPaused && this.listeners.size === 0) return
    this.lastSeq += 1
    const message = { seq: this.lastSeq, atMs: performance.now() - this.startedMs, emitted }
    for (const listener of this.listeners) listener(message)
    if (this.isPaused) return
    this.stored.push(message)
    this.characters += emitted.text.length
    while (this.count > maxMessages || (this.characters > maxCharacters && this.count > 1)) {
      this.drop()
      this.dropped += 1
    }
    if (this.waiting.length > 0) for (const resolve of this.waiting.splice(0)) resolve()
  }

  get count(): number {
    return this.stored.length - this.first
  }

  /** The number of the oldest message; one more than `lastSeq` if there is none. */
  get firstSeq(): number {
    return this.stored[this.first]?.seq ?? this.lastSeq + 1
  }

  /** Returns the messages after a number, in their order. */
  after(seq: number): readonly StoredMessage[] {
    const from = this.position(seq + 1)
    return this.stored.slice(from).filter(message => message !== undefined)
  }

  get(seq: number): StoredMessage | undefined {
    const found = this.stored[this.position(seq)]
    return found?.seq === seq ? found : undefined
  }

  /** Returns the position of the first message with this number or a higher one. A pause leaves gaps. */
  private position(seq: number): number {
    let low = this.first
    let high = this.stored.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.stored[middle]?.seq ?? 0) < seq) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Drops all messages and returns how many there were. Their numbers are not used again. */
  clear(): number {
    const { count } = this
    while (this.count > 0) this.drop()
    this.dropped = 0
    return count
  }

  /** Calls `listener` with each message from now on, also while the wire is paused. Returns a function that stops it. */
  onMessage(listener: (message: StoredMessage) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Resolves with the next message, at the latest after `ms` milliseconds or when the signal aborts. */
  untilNext(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const finish = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', finish)
        this.waiting = this.waiting.filter(each => each !== finish)
        resolve()
      }
      const timer = setTimeout(finish, ms)
      signal.addEventListener('abort', finish, { once: true })
      if (signal.aborted) finish()
      else this.waiting.push(finish)
    })
  }

  private drop(): void {
    const message = this.stored[this.first]
    this.stored[this.first] = undefined
    this.first += 1
    if (message !== undefined) {
      this.characters -= message.emitted.text.length
      // A later message may repeat the secrets of this one.
      if (message.seq > this.readSeq) this.masker.note(message.emitted)
    }
    if (this.first < maxMessages) return
    this.stored = this.stored.slice(this.first)
    this.first = 0
  }
}

/** Returns the message with its number and its size. */
export function toWireMessage({ seq, atMs, emitted }: StoredMessage): WireMessage {
  const bytes = emitted.bytes ?? Buffer.byteLength(emitted.text)
  return { ...emitted, seq, atMs: Math.round(atMs * 1000) / 1000, bytes }
}
