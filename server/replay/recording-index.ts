/**
 * Where each message of one recorded source lies in its file, and which messages belong to which request. The texts stay
 * in the file, so that a recording of 1 GB needs a few bytes of memory for each message.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { AppError } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { mask } from '../../core/tool/mask.ts'
import {
  type RecordedMessage,
  type RecordedSource,
  type RecordingLine,
  readRecordingLine,
} from '../../core/wire/recording.ts'
import { type ReplayKey, readRecordedKey } from '../../core/wire/replay-key.ts'
import { type NumberedLine, readRecording } from '../wire/recording-file.ts'
import { MessageChains } from './message-chains.ts'

/** Recorded requests of one tool or method among which the nearest one is searched. */
const maxCandidates = 200
/** Different requests of one tool or method whose texts contain a masked secret. */
const maxMasked = 2000
/** Tools whose names an error can name. */
const maxNames = 10_000

export class RecordingIndex {
  readonly file: string
  readonly source: RecordedSource
  private readonly handle: FileHandle
  private readonly lines: LineTable
  private readonly requests: Requests
  private readonly manifestLine: LineRange | undefined

  private constructor(file: string, handle: FileHandle, built: IndexBuilder) {
    this.file = file
    this.handle = handle
    this.source = built.source ?? unknownSource
    this.lines = built.lines
    this.requests = built.requests
    this.manifestLine = built.manifestLine
    this.requests.sort()
  }

  /**
   * Reads the file once. `source` is a name of the recording; it may be left out if there is only one. Throws AppError as
   * `readRecording`, and `source-unrecognised` if the recording has no such source, or several.
   */
  static async read(file: string, source?: string): Promise<RecordingIndex> {
    const builder = new IndexBuilder(source)
    for await (const line of readRecording(file)) builder.add(line)
    builder.finish(file)
    return new RecordingIndex(file, await open(file, 'r'), builder)
  }

  /** Whether the source is an MCP server, so that its messages are JSON-RPC. */
  get isMcp(): boolean {
    return this.source.transport !== 'run' && !this.source.kind.startsWith('bridge')
  }

  /** Whether it is an MCP server of the modern era, without a handshake. Revisions are dates. */
  get isModern(): boolean {
    return (this.source.protocol ?? '') >= '2026-07-28'
  }

  /** Returns the names of the tools that were called. */
  get calledTools(): readonly string[] {
    return [...this.requests.tools.keys()]
  }

  /** Returns the recorded requests that are equal to this one, in their order. */
  find(key: ReplayKey): readonly number[] {
    return this.requests.find(hashKey(key))
  }

  /** Returns recorded requests of the same tool or method, for the search of the nearest one. */
  candidates({ method, tool }: ReplayKey): readonly number[] {
    return (tool === undefined ? this.requests.methods.get(method) : this.requests.tools.get(tool)) ?? []
  }

  /** Returns different recorded requests of the same tool or method whose texts contain a masked secret. */
  masked({ method, tool }: ReplayKey): readonly number[] {
    return [...(this.requests.masked.get(toGroup(method, tool))?.values() ?? [])]
  }

  /** Returns a recorded request. */
  request(request: number): Promise<RecordedMessage> {
    return this.message(this.requests.messages.get(request))
  }

  /**
   * Returns what followed a request in the recording: messages before its answer, the answer, and what the server sent
   * after it while nothing else ran.
   */
  async *script(request: number): AsyncGenerator<RecordedMessage> {
    yield* this.chain(this.lines.next.get(this.requests.messages.get(request)))
  }

  /** Returns what the server sent before the first request. */
  async *preamble(): AsyncGenerator<RecordedMessage> {
    yield* this.chain(this.lines.next.get(preambleLine))
  }

  /** Returns the last list of tools that the recording contains, as a manifest file; undefined if it has none. */
  async manifest(): Promise<unknown> {
    if (this.manifestLine === undefined) return undefined
    const line = await this.line(this.manifestLine)
    return line.type === 'manifest' ? line.manifest : undefined
  }

  async close(): Promise<void> {
    await this.handle.close()
  }

  private async *chain(first: number): AsyncGenerator<RecordedMessage> {
    for (let line = first; line !== 0; line = this.lines.next.get(line)) yield await this.message(line)
  }

  private async message(line: number): Promise<RecordedMessage> {
    const read = await this.line({
      offset: this.lines.offsets.get(line),
      length: this.lines.lengths.get(line),
    })
    if (read.type !== 'message') throw this.changed()
    return read
  }

  private async line({ offset, length }: LineRange): Promise<RecordingLine> {
    const bytes = Buffer.alloc(length)
    const { bytesRead } = await this.handle.read(bytes, 0, length, offset)
    const read = readRecordingLine(bytes.toString('utf8', 0, bytesRead), false)
    if (!('line' in read)) throw this.changed()
    return read.line
  }

  private changed(): AppError {
    return new AppError('recording-invalid', `${this.file} changed after it was opened`)
  }
}

interface LineRange {
  /** In bytes. */
  readonly offset: number
  readonly length: number
}

const unknownSource: RecordedSource = {
  type: 'source',
  source: 0,
  name: 'recording',
  label: 'recording',
  kind: 'mcp-server',
  transport: 'stdio',
}

/** A list of numbers in few bytes. A number that was never set is 0. */
class NumberColumn<Numbers extends Float64Array | Uint32Array> {
  length = 0
  private numbers: Numbers
  private readonly create: (length: number) => Numbers

  constructor(create: (length: number) => Numbers) {
    this.create = create
    this.numbers = create(1024)
  }

  get(index: number): number {
    return this.numbers[index] ?? 0
  }

  set(index: number, value: number): void {
    if (index >= this.numbers.length) {
      const wider = this.create(Math.max(index + 1, Math.ceil(this.numbers.length * 1.5)))
      wider.set(this.numbers)
      this.numbers = wider
    }
    this.numbers[index] = value
    this.length = Math.max(this.length, index + 1)
  }
}

const wide = () => new NumberColumn(length => new Float64Array(length))
const narrow = () => new NumberColumn(length => new Uint32Array(length))

/** The line whose chain is the preamble; no message has this number. */
const preambleLine = 0

/** Each indexed message, by a number from 1. */
class LineTable {
  readonly offsets = wide()
  readonly lengths = narrow()
  /** The next message of the same chain; 0 at its end. */
  readonly next = narrow()
  private count = 1

  add({ offset, length }: LineRange): number {
    const line = this.count
    this.count += 1
    this.offsets.set(line, offset)
    this.lengths.set(line, length)
    return line
  }
}

class Requests {
  /** The line of each request. */
  readonly messages = narrow()
  readonly tools = new Map<string, number[]>()
  readonly methods = new Map<string, number[]>()
  /** The first of equal requests with a masked secret, by tool or method and by its hash. */
  readonly masked = new Map<string, Map<number, number>>()
  private readonly hashes = wide()
  private order: Uint32Array = new Uint32Array(0)

  add(line: number, key: ReplayKey, text: string): number {
    const request = this.messages.length
    this.messages.set(request, line)
    const hash = hashKey(key)
    this.hashes.set(request, hash)
    // The second condition leaves out masked members that do not count, and takes long for a long text.
    if (text.includes(mask) && JSON.stringify(key.params).includes(mask)) this.addMasked(request, hash, key)
    const [groups, name] =
      key.tool === undefined ? [this.methods, key.method] : ([this.tools, key.tool] as const)
    const group = groups.get(name)
    if (group !== undefined && group.length < maxCandidates) group.push(request)
    else if (group === undefined && groups.size < maxNames) groups.set(name, [request])
    return request
  }

  private addMasked(request: number, hash: number, { method, tool }: ReplayKey): void {
    const group = toGroup(method, tool)
    const masked = this.masked.get(group) ?? new Map<number, number>()
    if (masked.size >= maxMasked || masked.has(hash)) return
    masked.set(hash, request)
    if (this.masked.size < maxNames) this.masked.set(group, masked)
  }

  /** A program that refused its first form is started again for the same call: the last run has the answer. */
  replace(request: number, line: number): void {
    this.messages.set(request, line)
  }

  isOf(request: number, key: ReplayKey): boolean {
    return this.hashes.get(request) === hashKey(key)
  }

  sort(): void {
    this.order = Uint32Array.from({ length: this.messages.length }, (_, request) => request)
    this.order.sort((left, right) => this.hashes.get(left) - this.hashes.get(right) || left - right)
  }

  find(hash: number): readonly number[] {
    let low = 0
    let high = this.order.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.hashes.get(this.order[middle] ?? 0) < hash) low = middle + 1
      else high = middle
    }
    let end = low
    while (end < this.order.length && this.hashes.get(this.order[end] ?? 0) === hash) end += 1
    return Array.from(this.order.subarray(low, end))
  }
}

const toGroup = (method: string, tool: string | undefined) => JSON.stringify([method, tool ?? null])

/** 48 bits: two different requests of a recording have the same hash less often than a disk returns a wrong byte. */
function hashKey({ method, params }: ReplayKey): number {
  return createHash('sha256')
    .update(canonicalJson([method, params]))
    .digest()
    .readUIntBE(0, 6)
}

class IndexBuilder {
  source: RecordedSource | undefined
  manifestLine: LineRange | undefined
  readonly lines = new LineTable()
  readonly requests = new Requests()
  private readonly wanted: string | undefined
  private readonly names = new Map<number, string>()
  private readonly chains = new MessageChains(preambleLine)
  private lastRun: { readonly callId: string; readonly request: number } | undefined

  constructor(wanted: string | undefined) {
    this.wanted = wanted
  }

  add({ line, offset, length }: NumberedLine): void {
    if (line.type === 'source') this.addSource(line)
    else if (line.type === 'manifest' && this.isOurs(line.source)) this.manifestLine = { offset, length }
    else if (line.type === 'message' && this.isOurs(line.source)) this.addMessage(line, { offset, length })
  }

  /** Throws AppError `source-unrecognised` if the source is not clear. */
  finish(file: string): void {
    const names = [...this.names.values()]
    if (this.wanted !== undefined && this.source === undefined)
      throw new AppError('source-unrecognised', `${file} has no source "${this.wanted}"`, {
        hint: names.length === 0 ? 'The recording names no source.' : `It has: ${names.join(', ')}.`,
      })
    if (this.wanted === undefined && names.length > 1)
      throw new AppError('source-unrecognised', `${file} has ${names.length} sources, not one`, {
        hint: `Name one: ${names.map(name => `${file}#${name}`).join(', ')}.`,
      })
  }

  private addSource(line: RecordedSource): void {
    this.names.set(line.source, line.name)
    const isFirst = this.source === undefined && (this.wanted ?? line.name) === line.name
    // A second line of the same source adds what became known later: the protocol of a server that was started again.
    if (isFirst || this.source?.source === line.source) this.source = { ...this.source, ...line }
  }

  private isOurs(source: number): boolean {
    return this.source === undefined ? this.wanted === undefined : this.source.source === source
  }

  private addMessage(message: RecordedMessage, range: LineRange): void {
    const key = readRecordedKey(message)
    if (key !== undefined) {
      this.addRequest(message, this.lines.add(range), key)
      return
    }
    const chain = this.chains.find(message)
    if (chain === undefined) return
    const line = this.lines.add(range)
    this.lines.next.set(chain.end, line)
    chain.end = line
  }

  private addRequest(message: RecordedMessage, line: number, key: ReplayKey): void {
    const { callId, part, text } = message
    const last = part === 'start' ? this.lastRun : undefined
    this.lastRun = undefined
    let request = last?.request
    if (request !== undefined && last?.callId === callId && this.requests.isOf(request, key))
      this.requests.replace(request, line)
    else request = this.requests.add(line, key, text)
    if (part === 'start' && callId !== undefined) this.lastRun = { callId, request }
    this.chains.open(line, message)
  }
}
