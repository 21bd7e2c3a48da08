/**
 * Records that the store does not take at the moment: lines of JSON in files of the data directory, readable by this
 * user alone, without secrets as history is. They are written to the store later, by this program or by the next one.
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
import { messageOf } from '../../core/errors.ts'
import { parseJson } from '../../core/json/json.ts'
import type { InvocationRecord } from '../store/invocation-record.ts'
import { keyOf } from '../store/text-search.ts'

const maxSpoolBytes = 64 * 1024 * 1024
/** Records of one transaction. */
const batchSize = 200
const maxUnused = 32

export interface SpoolPlace {
  /** The data directory. Absolute; made with the first record. */
  readonly dataDirectory: string
  /** Which store the records are for, as `StoreStatus.where` has it. */
  readonly where: string
  readonly maxBytes?: number
}

export class Spool {
  private readonly folder: string
  private readonly maxBytes: number
  private current: string | undefined
  private isMade = false
  /** Empty files: writing to one costs a tenth of making and removing it. */
  private readonly unused: string[] = []

  constructor({ dataDirectory, where, maxBytes = maxSpoolBytes }: SpoolPlace) {
    this.folder = join(dataDirectory, 'spool', keyOf(where))
    this.maxBytes = maxBytes
  }

  /** Appends them and returns, all at once: also while the program ends. Returns what went wrong, or undefined. */
  append(records: readonly InvocationRecord[]): string | undefined {
    if (records.length === 0) return undefined
    const text = records.map(record => `${JSON.stringify(record)}\n`).join('')
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      const size = this.files().reduce((sum, file) => sum + statSync(file).size, text.length)
      if (size > this.maxBytes) throw new Error(`more than ${this.maxBytes >> 20} MiB wait in ${this.folder}`)
      this.current ??= this.newFile(Date.now())
      appendFileSync(this.current, text, { mode: 0o600 })
      return undefined
    } catch (thrown) {
      return messageOf(thrown)
    }
  }

  /**
   * Puts one record into a file of its own, at once. Returns what removes it again, of which only the first call does
   * anything; undefined where it could not be written.
   */
  addAlone(record: InvocationRecord): (() => void) | undefined {
    const text = `${JSON.stringify(record)}\n`
    try {
      const file = this.writeUnused(text) ?? this.writeNew(text)
      let isRemoved = false
      return () => {
        // By the second time the file may hold the record of another call.
        if (!isRemoved) this.empty(file)
        isRemoved = true
      }
    } catch {
      this.isMade = false
      return undefined
    }
  }

  /** Undefined where no file is left. */
  private writeUnused(text: string): string | undefined {
    for (let file = this.unused.pop(); file !== undefined; file = this.unused.pop()) {
      try {
        writeFileSync(file, text, { flag: 'r+' })
        // A program that drains the spool moves a file away before it reads it: what is still there will be read.
        if (existsSync(file)) return file
      } catch {
        // It was moved away before.
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
      // Another program has drained and removed it.
    }
  }

  /** Removes the empty files. */
  close(): void {
    for (const file of this.unused.splice(0)) rmSync(file, { force: true })
  }

  /**
   * Hands over what waits, oldest first, and forgets it once it is written. Stops where `write` rejects. Records may come
   * twice: the store takes the later state of a call once. Several programs may do it at the same time.
   */
  async drain(write: (records: readonly InvocationRecord[]) => Promise<void>): Promise<void> {
    for (const file of this.files()) {
      const claimed = this.claim(file)
      if (claimed === undefined) continue
      for (let done = 0; ; ) {
        const text = readFileSync(claimed, 'utf8')
        // A line of another version, or half a line of a program that was killed, is nothing to write.
        const records = text
          .split('\n')
          .flatMap(line => (parseJson(line) as InvocationRecord | undefined) ?? [])
        for (; done < records.length; done += batchSize) await write(records.slice(done, done + batchSize))
        // Another program may have been about to append when its file was claimed.
        if (statSync(claimed).size === Buffer.byteLength(text)) break
        done = records.length
      }
      rmSync(claimed, { force: true })
    }
  }

  /** Takes a file over by another name, which only one program can do. Undefined where it has gone. */
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

  /** Oldest first: their names begin with the time. */
  private files(): string[] {
    try {
      const names = readdirSync(this.folder).filter(name => name.endsWith('.jsonl'))
      return names.sort().map(name => join(this.folder, name))
    } catch {
      return []
    }
  }
}
