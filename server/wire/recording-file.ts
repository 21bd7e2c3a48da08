/**
 * Writes and reads the file of a recording (core/wire/recording.ts), in constant memory. The writer appends whole lines
 * and gives them to the system within a quarter of a second, so that a crash loses at most the last second.
 */
import {
  closeSync,
  createReadStream,
  fchmodSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeSync,
} from 'node:fs'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import {
  type RecordingLine,
  readRecordingLine,
  recordingVersion,
  writeRecordingLine,
} from '../../core/wire/recording.ts'
import { version } from '../process/version.ts'

/** Bytes of a message that a recording contains; a longer one is cut (`isCut`). */
export const maxRecordedBytes = 16 * 1024 * 1024
/** Bytes of a line of the file: six for each byte of a message (`\u0001`), and its base64. */
const maxLineBytes = 128 * 1024 * 1024
/** Written at once if this many characters wait. */
const maxWaitingCharacters = 64 * 1024
const flushAfterMs = 250
/** Milliseconds between two requests to the system to write the file to the disk. */
const syncEveryMs = 1_000

export interface RecordingOptions {
  /** The program that writes the file: `toolscope tap`. */
  readonly by: string
  /** When the time of its messages is 0; ISO 8601, UTC. Now if absent. */
  readonly startedAt?: string
  /** Whether a file with this name is replaced. */
  readonly force?: boolean
  /** Removes secrets from a line, and returns how many it removed. */
  readonly mask?: (line: RecordingLine) => { readonly line: RecordingLine; readonly masked: number }
  /** Called once, if the file can no longer be written. What was written before remains readable. */
  readonly onProblem?: (problem: AppError) => void
}

/** The size of a recording so far. */
export interface RecordingCounts {
  readonly messages: number
  readonly masked: number
}

export class RecordingWriter {
  readonly file: string
  private readonly descriptor: number
  private readonly options: RecordingOptions
  private readonly isRegular: boolean
  private readonly openedAt = performance.now()
  private waiting: string[] = []
  private waitingCharacters = 0
  /** The length of the file up to its last whole line. */
  private bytes = 0
  private messages = 0
  private masked = 0
  private timer: NodeJS.Timeout | undefined
  private syncedAt = 0
  private isSyncing = false
  private state: 'open' | 'failed' | 'closed' = 'open'
  private readonly onExit = () => this.flush()

  /**
   * Creates the file, readable by this user only, with its header. Throws AppError `usage` if the file exists and
   * `force` is not set, or if it cannot be created.
   */
  constructor(file: string, options: RecordingOptions) {
    this.file = file
    this.options = options
    this.descriptor = createFile(file, options.force === true)
    this.isRegular = fstatSync(this.descriptor).isFile()
    // A file that was replaced has the rights that it had before.
    if (this.isRegular) fchmodSync(this.descriptor, 0o600)
    const { startedAt = new Date().toISOString() } = options
    process.once('exit', this.onExit)
    this.write({ type: 'header', toolrec: recordingVersion, startedAt, by: options.by, version })
    this.flush()
  }

  /** Adds a line. Never throws and never waits for a timer; it blocks while the disk is slower than the messages. */
  write(line: RecordingLine): void {
    if (this.state !== 'open') return
    const { line: visible, masked } = this.options.mask?.(line) ?? { line, masked: 0 }
    if (line.type === 'message') this.messages += 1
    this.masked += masked
    const text = writeRecordingLine(visible)
    this.waiting.push(text)
    this.waitingCharacters += text.length
    if (this.waitingCharacters >= maxWaitingCharacters) this.flush()
    else this.timer ??= setTimeout(() => this.flush(), flushAfterMs).unref()
  }

  /** Adds secrets that were masked before their lines arrived here to the count of the last line. */
  addMasked(count: number): void {
    this.masked += count
  }

  counts(): RecordingCounts {
    return { messages: this.messages, masked: this.masked }
  }

  /** Gives all lines to the system: they survive the end of this process. */
  flush(): void {
    clearTimeout(this.timer)
    this.timer = undefined
    if (this.waiting.length === 0 || this.state !== 'open') return
    const data = Buffer.from(this.waiting.join(''))
    this.waiting = []
    this.waitingCharacters = 0
    try {
      for (let at = 0; at < data.length; ) at += writeSync(this.descriptor, data, at)
      this.bytes += data.length
    } catch (thrown) {
      this.fail(thrown)
    }
    this.sync()
  }

  /** Adds the last line and closes the file. */
  close(): RecordingCounts {
    if (this.state === 'closed') return this.counts()
    const { messages, masked } = this
    const atMs = Math.round(performance.now() - this.openedAt)
    this.write({ type: 'end', atMs, messages, masked })
    this.flush()
    this.state = 'closed'
    process.off('exit', this.onExit)
    closeSync(this.descriptor)
    return this.counts()
  }

  /** A disk that is full must not leave half a line in the file. */
  private fail(thrown: unknown): void {
    this.state = 'failed'
    try {
      if (this.isRegular) ftruncateSync(this.descriptor, this.bytes)
    } catch {
      // The reader accepts a last line that is cut.
    }
    this.options.onProblem?.(notWritten(this.file, thrown))
  }

  private sync(): void {
    const now = performance.now()
    if (this.state !== 'open' || this.isSyncing || !this.isRegular || now - this.syncedAt < syncEveryMs)
      return
    this.syncedAt = now
    this.isSyncing = true
    // Not supported by every file system; the lines are with the system in any case.
    fdatasync(this.descriptor, () => {
      this.isSyncing = false
    })
  }
}

function createFile(file: string, force: boolean): number {
  try {
    return openSync(file, force ? 'w' : 'wx', 0o600)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST')
      throw new AppError('usage', `${file} exists already`, {
        hint: 'Name another file with --out, or replace this one with --force.',
      })
    throw notWritten(file, thrown)
  }
}

const notWritten = (file: string, thrown: unknown) =>
  new AppError('usage', `${file} could not be written: ${toErrorMessage(thrown)}`, {
    hint: 'Name a file in a folder that you may write to, on a disk that has room.',
  })

export interface NumberedLine {
  readonly line: RecordingLine
  /** From 1. */
  readonly number: number
  /** Where the line begins in the file, in bytes. */
  readonly offset: number
  /** In bytes, without the end of the line. */
  readonly length: number
}

/**
 * Reads the lines of a recording one after the other, the header first. Throws AppError `source-not-found` if there is no
 * such file, and `recording-invalid`, with the number of the line, if a line cannot be read.
 *
 * @param onCut receives the number of the last line if it is not whole: the program that wrote it was killed. The line is
 * left out. A recording that has no line of type `end` was not ended properly either
 */
export async function* readRecording(
  file: string,
  { onCut }: { readonly onCut?: (number: number) => void } = {},
): AsyncGenerator<NumberedLine, void, undefined> {
  let number = 0
  for await (const { text, isWhole, offset, length } of readLines(file)) {
    number += 1
    if (isWhole && text.trim() === '' && number > 1) continue
    const read = readRecordingLine(text, number === 1)
    if ('isUnknown' in read) continue
    if ('line' in read) yield { line: read.line, number, offset, length }
    else if (number > 1 && !isWhole) return onCut?.(number)
    else throw invalid(file, `line ${number} ${read.problem}`)
  }
  if (number === 0) throw invalid(file, 'it is empty')
}

interface FileLine extends Pick<NumberedLine, 'offset' | 'length'> {
  readonly text: string
  readonly isWhole: boolean
}

async function* readLines(file: string): AsyncGenerator<FileLine> {
  let parts: Buffer[] = []
  let length = 0
  let lines = 0
  let offset = 0
  const takeLine = (last: Buffer, isWhole: boolean): FileLine => {
    const bytes = parts.length === 0 ? last : Buffer.concat([...parts, last])
    const line = { text: bytes.toString('utf8'), offset, length: bytes.length, isWhole }
    parts = []
    length = 0
    lines += 1
    offset += bytes.length + 1
    return line
  }
  try {
    for await (const chunk of createReadStream(file, {
      highWaterMark: 256 * 1024,
    }) as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        yield takeLine(chunk.subarray(from, end), true)
        from = end + 1
      }
      if (from === chunk.length) continue
      parts.push(chunk.subarray(from))
      length += chunk.length - from
      if (length > maxLineBytes)
        throw invalid(file, `line ${lines + 1} is longer than ${maxLineBytes >> 20} MiB`)
    }
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : notRead(file, thrown)
  }
  if (length > 0) yield takeLine(Buffer.alloc(0), false)
}

function notRead(file: string, thrown: unknown): AppError {
  const { code } = thrown as NodeJS.ErrnoException
  if (code === 'EISDIR') return invalid(file, 'it is a folder')
  if (code !== 'ENOENT') return invalid(file, toErrorMessage(thrown))
  return new AppError('source-not-found', `there is no file ${file}`, {
    hint: 'Name a file that `toolscope record`, `toolscope tap` or the page wrote.',
  })
}

const invalid = (file: string, problem: string) => new AppError('recording-invalid', `${file}: ${problem}`)
