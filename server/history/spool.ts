/**
 * Records that the store cannot accept at the moment: lines of JSON in files of the data directory, readable only by
 * this user and without secrets. This process or a later one writes them to the store.
 */
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { toErrorMessage } from '../../core/errors.ts'
import { parseJson } from '../../core/json/json.ts'
import type { InvocationRecord } from '../store/invocation-record.ts'
import { toHashKey } from '../store/word-search.ts'

const maxSpoolBytes = 64 * 1024 * 1024
const batchSize = 200
const maxUnused = 32

export interface SpoolLocation {
  /** The data directory. Absolute; created with the first record. */
  readonly dataDirectory: string
  /** The store that the records are for, as in `StoreStatus.where`. */
  readonly where: string
  readonly maxBytes?: number
}

export class Spool {
  private readonly folder: string
  private readonly maxBytes: number
  private current: string | undefined
  private isMade = false
  /** Empty files for reuse: writing to one costs a tenth of creating and removing it. */
  private readonly unused: string[] = []

  constructor({ dataDirectory, where, maxBytes = maxSpoolBytes }: SpoolLocation) {
    this.folder = join(dataDirectory, 'spool', toHashKey(where))
    this.maxBytes = maxBytes
  }

  /**
   * Appends the records synchronously, so it also works while the program ends. Returns the error message, or
   * undefined.
   */
  append(records: readonly InvocationRecord[]): string | undefined {
    if (records.length === 0) return undefined
    const text = records.map(record => `${JSON.stringify(record)}\n`).join('')
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      if (this.countBytes() + text.length > this.maxBytes)
        throw new Error(`the spool ${this.folder} is full (${this.maxBytes >> 20} MiB)`)
      this.current ??= this.newFile(Date.now())
      appendFileSync(this.current, text, { mode: 0o600 })
      return undefined
    } catch (thrown) {
      return toErrorMessage(thrown)
    }
  }

  /**
   * Writes one record into its own file synchronously. Returns a function that removes it and works once; undefined if
   * the file could not be written.
   */
  addAlone(record: InvocationRecord): (() => void) | undefined {
    const text = `${JSON.stringify(record)}\n`
    try {
      const file = this.writeUnused(text) ?? this.writeNew(text)
      let isRemoved = false
      return () => {
        // After the first call the file may contain the record of another call.
        if (!isRemoved) this.empty(file)
        isRemoved = true
      }
    } catch {
      this.isMade = false
      return undefined
    }
  }

  /** Returns undefined if no file is left. */
  private writeUnused(text: string): string | undefined {
    for (let file = this.unused.pop(); file !== undefined; file = this.unused.pop()) {
      try {
        writeFileSync(file, text, { flag: 'r+' })
        // A process that drains the spool moves a file away before it reads it: a file that is still there will be
        // read.
        if (existsSync(file)) return file
      } catch {
        // Another process moved it away before.
      }
    }
    return undefined
  }

  private writeNew(text: string): string {
    if (!this.isMade) mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    this.isMade = true
    const file = this.newFile(Date.now())
    writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
    return file
  }

  private empty(file: string): void {
    try {
      if (this.unused.length < maxUnused) {
        truncateSync(file)
        this.unused.push(file)
      } else rmSync(file, { force: true })
    } catch {
      // Another process has drained and removed it.
    }
  }

  /** Removes the empty files. */
  close(): void {
    for (const file of this.unused.splice(0)) rmSync(file, { force: true })
  }

  /**
   * Passes the waiting records to `write`, oldest first, and deletes each once it is written. Stops if `write` rejects.
   * Records may be passed twice: the store keeps only the later state of a call. Several processes may drain at the
   * same time.
   */
  async drain(write: (records: readonly InvocationRecord[]) => Promise<void>): Promise<void> {
    for (const file of this.files()) {
      const claimed = this.claim(file)
      if (claimed === undefined) continue
      for (let done = 0; ; ) {
        const text = readFileSync(claimed, 'utf8')
        // A line of another version, or half a line of a killed process, is skipped.
        const records = text
          .split('\n')
          .flatMap(line => (parseJson(line) as InvocationRecord | undefined) ?? [])
        for (; done < records.length; done += batchSize) await write(records.slice(done, done + batchSize))
        // Another process may have been about to append when its file was claimed.
        if (statSync(claimed).size === Buffer.byteLength(text)) break
        done = records.length
      }
      rmSync(claimed, { force: true })
    }
  }

  /** Claims a file by renaming it, which only one process can do. Returns undefined if it is gone. */
  private claim(file: string): string | undefined {
    const claimed = this.newFile(Number(/(\d+)-\w+\.jsonl$/.exec(file)?.[1] ?? 0))
    try {
      renameSync(file, claimed)
    } catch {
      return undefined
    }
    if (file === this.current) this.current = undefined
    return claimed
  }

  private newFile(milliseconds: number): string {
    return join(
      this.folder,
      `${String(milliseconds).padStart(15, '0')}-${randomBytes(6).toString('hex')}.jsonl`,
    )
  }

  /** Returns the bytes of all records: those that the store cannot accept, and those of calls that run. */
  countBytes(): number {
    return this.files().reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0)
  }

  /** Oldest first: the names begin with the time. */
  private files(): string[] {
    try {
      const names = readdirSync(this.folder).filter(name => name.endsWith('.jsonl'))
      return names.sort().map(name => join(this.folder, name))
    } catch {
      return []
    }
  }
}
