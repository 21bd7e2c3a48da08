/** Records the messages of sources to files: for the page, and for `toolscope record`. */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RecordingState } from '../../core/api/wire.ts'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { MessageMasker } from '../../core/wire/mask-message.ts'
import { type RecordingLine, readRecordingLine } from '../../core/wire/recording.ts'
import { bridgedTool, type EmittedMessage, readRpc } from '../../core/wire/wire-message.ts'
import { RecordingWriter, readRecording } from './recording-file.ts'
import { type SourceWire, type StoredMessage, toWireMessage } from './source-wire.ts'

export interface NamedWire {
  readonly name: string
  readonly wire: SourceWire
}

interface RecorderOptions {
  readonly by: string
  readonly force?: boolean
  /** JSON Pointers of values that are masked too. */
  readonly redact?: readonly string[]
  /** Called once, if the file can no longer be written. */
  readonly onProblem?: (problem: AppError) => void
}

/** Writes the messages of sources to one file, masked, until it is closed. */
export class Recorder {
  private readonly writer: RecordingWriter
  private readonly redact: readonly string[]
  private readonly recorded: RecordedWire[] = []
  private readonly stops: (() => void)[] = []
  private startedMs: number
  private calls = 0

  /**
   * Throws AppError `usage` if the file exists and `force` is not set, or if it cannot be created.
   *
   * @param past wires whose messages so far are recorded too
   */
  constructor(file: string, { redact = [], ...options }: RecorderOptions, past: readonly SourceWire[] = []) {
    this.redact = redact
    const now = performance.now()
    this.startedMs = Math.min(now, ...past.map(wire => wire.startedMs))
    const startedAt = new Date(Date.now() - (now - this.startedMs)).toISOString()
    this.writer = new RecordingWriter(file, { ...options, startedAt })
    for (const wire of past) this.add(wire, true)
  }

  /** Records a source from now on; `withPast`: also the messages that its wire has. */
  add(wire: SourceWire, withPast = false): void {
    const masker = new MessageMasker({ ...wire.facts, redact: this.redact })
    const recorded: RecordedWire = { wire, masker, source: this.recorded.length, described: '', hash: '' }
    this.recorded.push(recorded)
    this.describe(recorded)
    const past = withPast ? wire.after(0) : []
    // A secret of a later input may be in an earlier message, and the other way round.
    for (const { emitted } of past) masker.note(emitted)
    for (const stored of past) this.record(recorded, stored)
    this.stops.push(wire.onMessage(stored => this.record(recorded, stored)))
    void this.readManifest(recorded)
  }

  /** Records the lists of tools that changed. Never rejects. */
  async readManifests(): Promise<void> {
    await Promise.all(this.recorded.map(each => this.readManifest(each)))
  }

  counts() {
    return { ...this.writer.counts(), calls: this.calls }
  }

  flush(): void {
    this.writer.flush()
  }

  /** Ends the recording. */
  async close() {
    for (const stop of this.stops.splice(0)) stop()
    await this.readManifests()
    return { ...this.writer.close(), calls: this.calls }
  }

  private record({ wire, masker, source }: RecordedWire, stored: StoredMessage): void {
    masker.note(stored.emitted)
    const { message, masked } = masker.mask(toWireMessage(stored))
    const atMs = Math.max(0, message.atMs + wire.startedMs - this.startedMs)
    this.writer.addMasked(masked)
    if (isCall(stored.emitted)) this.calls += 1
    this.writer.write({ type: 'message', source, ...message, atMs: Math.round(atMs * 1000) / 1000 })
  }

  /** Writes the source, and again if more is known of it after its handshake. */
  private describe(recorded: RecordedWire): void {
    const { wire, masker, source } = recorded
    const text = masker.maskText(JSON.stringify({ type: 'source', source, ...wire.facts.describe() }))
    if (text === recorded.described) return
    recorded.described = text
    this.writeText(text)
  }

  private async readManifest(recorded: RecordedWire): Promise<void> {
    const { wire, masker, source } = recorded
    const manifest = await wire.facts.manifest().catch(() => undefined)
    if (manifest === undefined || manifest.hash === recorded.hash) return
    recorded.hash = manifest.hash
    this.describe(recorded)
    const atMs = Math.round(performance.now() - this.startedMs)
    this.writeText(masker.maskText(JSON.stringify({ type: 'manifest', source, atMs, ...manifest })))
  }

  private writeText(text: string): void {
    const read = readRecordingLine(text, false)
    if ('line' in read) this.writer.write(read.line)
  }
}

interface RecordedWire {
  readonly wire: SourceWire
  readonly masker: MessageMasker
  readonly source: number
  /** The line of the source that was written last, and the hash of its list. */
  described: string
  hash: string
}

function isCall({ direction, part, text, http, run }: EmittedMessage): boolean {
  if (direction !== 'sent') return false
  if (part === 'start') return run?.tool !== undefined
  return (
    bridgedTool(http) !== undefined || (text.includes('"tools/call"') && readRpc(text)?.kind === 'request')
  )
}

interface RunningRecording {
  readonly id: string
  readonly sources: readonly string[]
  readonly startedAt: string
  readonly folder: string
  readonly file: string
  readonly recorder: Recorder
  isRunning: boolean
  error?: string
}

/** Recordings that the page starts and downloads. */
export class Recordings {
  private readonly byId: Map<string, RunningRecording>
  private readonly sees: (source: string) => boolean

  /**
   * @param whole shares its recordings, of which only those exist here whose sources `sees` accepts
   */
  constructor(whole?: Recordings, sees: (source: string) => boolean = () => true) {
    this.byId = whole?.byId ?? new Map()
    this.sees = sees
  }

  list(): readonly RecordingState[] {
    return [...this.byId.values()].filter(({ sources }) => sources.every(this.sees)).map(toState)
  }

  /** Throws AppError `usage` if the file cannot be created. */
  async start(wires: readonly NamedWire[], withPast: boolean): Promise<RecordingState> {
    const folder = await mkdtemp(join(tmpdir(), 'toolscope-recording-'))
    const file = join(folder, 'recording.toolrec')
    const onProblem = (problem: AppError) => {
      recording.error = problem.detail
    }
    const past = withPast ? wires.map(({ wire }) => wire) : []
    const recorder = new Recorder(file, { by: 'toolscope serve', onProblem }, past)
    const recording: RunningRecording = {
      id: randomUUID(),
      sources: wires.map(({ name }) => name),
      startedAt: new Date().toISOString(),
      folder,
      file,
      recorder,
      isRunning: true,
    }
    this.byId.set(recording.id, recording)
    if (!withPast) for (const { wire } of wires) recorder.add(wire)
    return toState(recording)
  }

  /** Records the lists of tools that changed. */
  readManifests(): void {
    for (const { isRunning, recorder } of this.byId.values()) if (isRunning) void recorder.readManifests()
  }

  async stop(id: string): Promise<RecordingState> {
    const recording = this.get(id)
    if (recording.isRunning) {
      recording.isRunning = false
      await recording.recorder.close()
    }
    return toState(recording)
  }

  /** Yields the lines of a recording that were written so far. */
  async *lines(id: string): AsyncGenerator<RecordingLine> {
    const { isRunning, recorder, file } = this.get(id)
    if (isRunning) recorder.flush()
    for await (const { line } of readRecording(file)) yield line
  }

  async remove(id: string): Promise<void> {
    await this.stop(id)
    const { folder } = this.get(id)
    this.byId.delete(id)
    await rm(folder, { recursive: true, force: true })
  }

  /** Ends and deletes all recordings. */
  async close(): Promise<void> {
    await Promise.all([...this.byId.keys()].map(id => this.remove(id)))
  }

  /** Throws AppError `not-found`. */
  get(id: string): RunningRecording {
    const recording = this.byId.get(id)
    if (recording?.sources.every(this.sees) === true) return recording
    throw new AppError('not-found', `there is no recording ${id.slice(0, 100)}`)
  }
}

function toState({
  id,
  sources,
  startedAt,
  isRunning,
  recorder,
  file,
  error,
}: RunningRecording): RecordingState {
  const { messages, masked } = recorder.counts()
  if (isRunning) recorder.flush()
  const { size: bytes } = statSync(file)
  return { id, sources, startedAt, isRunning, messages, masked, bytes, ...withoutUndefined({ error }) }
}
