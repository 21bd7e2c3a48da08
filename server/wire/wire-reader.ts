/** Reads the messages of a source's wire: rows, one message in full, a search, a recording. Secrets are masked. */
import type { WireDetail, WireFilters, WirePage } from '../../core/api/wire.ts'
import { AppError } from '../../core/errors.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { type RecordingLine, recordingVersion } from '../../core/wire/recording.ts'
import type { EmittedMessage, WireMessage } from '../../core/wire/wire-message.ts'
import {
  type CheckMessage,
  toWireRow,
  type WireFacts,
  WireIndex,
  type WireRow,
} from '../../core/wire/wire-row.ts'
import { version } from '../process/version.ts'
import { turns } from '../workers/run-slices.ts'
import { type SourceWire, type StoredMessage, toWireMessage } from './source-wire.ts'

/** The longest wait for a new message, in milliseconds. */
const maxWaitMs = 20_000
/** Messages that arrive within this time after a wait are one answer. */
const gatherMs = 250
const previewCharacters = 200
/** Characters of a text that are masked for its preview, if no secret is longer. */
const headCharacters = 8 * 1024
/** Characters of a text in one answer. */
const maxTextCharacters = 1024 * 1024

export interface PageQuery extends WireFilters {
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
  readonly wait?: boolean | undefined
}

const readers = new WeakMap<SourceWire, WireReader>()

/** Returns the reader of a wire. There is one, because it remembers what it has read. */
export function openReader(wire: SourceWire): WireReader {
  const reader = readers.get(wire) ?? new WireReader(wire)
  readers.set(wire, reader)
  return reader
}

class WireReader {
  private readonly wire: SourceWire
  private readonly index = new WireIndex((rpc, method) => this.check?.(rpc, method))
  private check: CheckMessage | undefined
  private readonly facts = new Map<number, WireFacts>()
  /** The version of the masker with which a message had no secret. */
  private readonly clean = new Map<number, number>()
  private reading: Promise<void> = Promise.resolve()

  constructor(wire: SourceWire) {
    this.wire = wire
  }

  /** Returns rows; with `wait`, after the next message. */
  async page({ wait, ...query }: PageQuery, signal: AbortSignal): Promise<WirePage> {
    const { wire } = this
    if (wait === true && wire.lastSeq <= (query.after ?? wire.lastSeq)) {
      await wire.untilNext(maxWaitMs, signal)
      if (!signal.aborted && wire.lastSeq > (query.after ?? 0)) await wire.untilNext(gatherMs, signal)
    }
    await this.readAll()
    const { rows, ...counts } = await this.select(query)
    return {
      rows: rows.map(message => this.toRow(message)),
      ...counts,
      firstSeq: wire.count === 0 ? 0 : wire.firstSeq,
      lastSeq: wire.lastSeq,
      total: wire.count,
      dropped: wire.dropped,
      isPaused: wire.isPaused,
      startedAt: wire.startedAt,
    }
  }

  /** Throws AppError `not-found` if the wire does not have the message, or not any longer. */
  async detail(seq: number): Promise<WireDetail> {
    await this.readAll()
    const stored = this.wire.get(seq)
    if (stored === undefined)
      throw new AppError('not-found', `the wire has no message ${seq}`, {
        hint: `It has the newest ${this.wire.count} messages.`,
      })
    const message = this.mask(stored)
    const isCut = message.text.length > maxTextCharacters
    return {
      row: this.toRow(stored),
      message: isCut ? { ...message, text: message.text.slice(0, maxTextCharacters), isCut } : message,
    }
  }

  /** Yields the messages after a number as a recording. */
  async *recording(after: number): AsyncGenerator<RecordingLine> {
    await this.readAll()
    const { wire } = this
    const by = 'toolscope serve'
    yield { type: 'header', toolrec: recordingVersion, startedAt: wire.startedAt, by, version }
    yield { type: 'source', source: 0, ...wire.facts.describe() }
    const manifest = await wire.facts.manifest()
    if (manifest !== undefined) yield { type: 'manifest', source: 0, atMs: 0, ...manifest }
    const turn = turns()
    let messages = 0
    let masked = 0
    let atMs = 0
    for (const stored of wire.after(after)) {
      await turn()
      const found = wire.masker.mask(toWireMessage(stored))
      messages += 1
      masked += found.masked
      atMs = found.message.atMs
      yield { type: 'message', source: 0, ...found.message }
    }
    yield { type: 'end', atMs, messages, masked }
  }

  /** Finds the facts of the messages that arrived since the last time. */
  private readAll(): Promise<void> {
    this.reading = this.reading.then(() => this.readNew())
    return this.reading
  }

  private async readNew(): Promise<void> {
    const { wire } = this
    const turn = turns()
    if (wire.facts.describe().kind === 'mcp-server')
      this.check ??= (await import('./spec-schemas.ts')).checkSpec
    for (const stored of wire.after(wire.readSeq)) {
      if (stored.seq > wire.readSeq + 1) this.index.skip()
      wire.masker.note(stored.emitted)
      this.facts.set(stored.seq, this.index.add(toWireMessage(stored)))
      wire.readSeq = stored.seq
      await turn()
    }
    const { firstSeq } = wire
    for (const seq of this.facts.keys()) {
      if (seq >= firstSeq) break
      this.facts.delete(seq)
      this.clean.delete(seq)
    }
  }

  private async select({
    after,
    before,
    limit,
    ...filters
  }: Omit<PageQuery, 'wait'>): Promise<
    Pick<WirePage, 'matches' | 'hasBefore' | 'hasAfter'> & { readonly rows: readonly StoredMessage[] }
  > {
    const matches = await this.filter(filters)
    const isAfter = (seq: number) => seq > (after ?? 0)
    const isBefore = (seq: number) => before === undefined || seq < before
    const between = matches.filter(({ seq }) => isAfter(seq) && isBefore(seq))
    const rows = after === undefined ? between.slice(-limit) : between.slice(0, limit)
    const first = rows[0]?.seq ?? (after ?? 0) + 1
    const last = rows.at(-1)?.seq ?? (before ?? Number.POSITIVE_INFINITY) - 1
    return {
      rows,
      matches: matches.length,
      hasBefore: matches.some(({ seq }) => seq < first),
      hasAfter: matches.some(({ seq }) => seq > last),
    }
  }

  private async filter({ text = '', ...filters }: WireFilters): Promise<readonly StoredMessage[]> {
    const turn = turns()
    const pattern = text === '' ? undefined : new RegExp(escapePattern(text), 'i')
    const found: StoredMessage[] = []
    for (const stored of this.wire.after(0)) {
      const facts = this.facts.get(stored.seq)
      // It arrived while this was searching.
      if (facts === undefined) continue
      if (
        isMatch(stored.emitted, facts, filters) &&
        (pattern === undefined || this.contains(stored, pattern))
      )
        found.push(stored)
      await turn()
    }
    return found
  }

  /** Searches the masked texts, so that a search does not find a secret. */
  private contains(stored: StoredMessage, pattern: RegExp): boolean {
    const { emitted, seq } = stored
    const isFound = (message: EmittedMessage) => listTexts(message).some(each => pattern.test(each))
    const { version } = this.wire.masker
    if (this.clean.get(seq) === version) return isFound(emitted)
    // The mask itself is in no text, and everything else of a masked text is in the text.
    if (!isFound(emitted)) return false
    const { message, masked } = this.wire.masker.mask(emitted)
    if (masked === 0) this.clean.set(seq, version)
    return isFound(message)
  }

  private mask(stored: StoredMessage): WireMessage {
    const { message } = this.wire.masker.mask(toWireMessage(stored))
    const callId = this.facts.get(stored.seq)?.callId
    return callId === undefined ? message : { ...message, callId }
  }

  private toRow(stored: StoredMessage): WireRow {
    const { masker } = this.wire
    const { text } = stored.emitted
    // A form of a secret in a text has at most twelve times its characters.
    const head = text.slice(0, Math.max(headCharacters, previewCharacters + 12 * masker.longest))
    const preview = plainLine(masker.maskText(head).slice(0, previewCharacters))
    const facts = this.facts.get(stored.seq) ?? { isError: false, violations: [] }
    const violations = facts.violations.map(each => ({ ...each, message: masker.maskText(each.message) }))
    return toWireRow(toWireMessage(stored), { ...facts, violations }, preview)
  }
}

function isMatch(
  { direction, part }: EmittedMessage,
  facts: WireFacts,
  filters: Omit<WireFilters, 'text'>,
): boolean {
  const { kind, method, callId, violations, isError } = facts
  const isBad = violations.length > 0 || (filters.only === 'errors' && isError)
  return (
    (filters.direction === undefined || filters.direction === direction) &&
    (filters.part === undefined || filters.part === part) &&
    (filters.kind === undefined || filters.kind === kind) &&
    (filters.method === undefined || filters.method === method) &&
    (filters.callId === undefined || filters.callId === callId) &&
    (filters.only === undefined || isBad)
  )
}

function listTexts({ text, http, run }: EmittedMessage): readonly string[] {
  const entries = Object.entries({ ...http?.headers, ...run?.environment })
  return [
    text,
    ...entries.map(([name, value]) => `${name}: ${value}`),
    http?.url ?? '',
    ...(run?.argv ?? []),
    run?.output ?? '',
  ]
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
