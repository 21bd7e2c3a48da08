/**
 * Reads and writes the lock file: the approved items of the sources (`pins`), next to the manifests of `snapshot --lock`
 * (`sources`). Reading fails closed: a file that is not exactly as Toolscope writes it is an error, never empty.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { isObject, type UnknownObject } from '../../core/json/json.ts'
import { findRepeatedMember } from '../../core/json/json-mistake.ts'
import { measureDepth } from '../../core/json/json-text.ts'
import { type LockedPins, nameOrNothing, readLockedPins, writeLockedPins } from '../../core/pin/pin-file.ts'

const lockVersion = 1
/** Items may be nested 200 levels, within these of the file. */
const maxLevels = 240
const maxBytes = 256 * 1024 * 1024

export interface LockContents {
  readonly pins: LockedPins
  /** The other members, unchanged. */
  readonly others: UnknownObject
}

const empty: LockContents = { pins: new Map(), others: {} }

/** Reads the file again only if it has changed. */
export class LockReader {
  readonly file: string
  private last: { readonly stamp: string; readonly contents: LockContents | AppError } | undefined

  /** @param file absolute; it may not exist */
  constructor(file: string) {
    this.file = file
  }

  /** Returns the same object until the file changes. Throws AppError `pin-unreadable`. */
  read(): LockContents {
    const stamp = readStamp(this.file)
    if (this.last?.stamp !== stamp) this.last = { stamp, contents: tryRead(this.file) }
    const { contents } = this.last
    if (!(contents instanceof AppError)) return contents
    // An error of the system (too many open files) may pass, and the file stays as it is.
    if (contents.cause !== undefined) this.last = undefined
    throw contents
  }
}

function readStamp(file: string): string {
  try {
    const { mtimeNs, ctimeNs, ino, size } = statSync(file, { bigint: true })
    return [mtimeNs, ctimeNs, ino, size].join()
  } catch (thrown) {
    return `${(thrown as NodeJS.ErrnoException).code} ${isDangling(file)}`
  }
}

function tryRead(file: string): LockContents | AppError {
  try {
    return readLock(file)
  } catch (thrown) {
    return thrown instanceof AppError ? thrown : unreadable(file, toErrorMessage(thrown))
  }
}

/** Returns nothing pinned if there is no file. Throws AppError `pin-unreadable` if it is not exactly a lock file. */
export function readLock(file: string): LockContents {
  let text: string
  try {
    // Reading a named pipe would wait for a writer.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file')
    text = readFileSync(file, 'utf8')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT' && !isDangling(file)) return empty
    throw unreadable(file, toErrorMessage(thrown), thrown)
  }
  if (text.length > maxBytes) throw unreadable(file, 'it is too large')
  if (measureDepth(text) > maxLevels) throw unreadable(file, `it is nested deeper than ${maxLevels} levels`)
  const value = parseStrictly(text, file)
  if (!isObject(value)) throw unreadable(file, 'it is not an object')
  const { lockVersion: version, pins: given, ...others } = value
  if (version !== lockVersion) {
    const isNewer = typeof version === 'number' && version > lockVersion
    throw unreadable(file, isNewer ? 'a newer version of Toolscope wrote it' : '"lockVersion" is not 1')
  }
  const unknown = Object.keys(others).find(key => key !== 'sources')
  if (unknown !== undefined)
    throw unreadable(file, `it has the unknown member ${JSON.stringify(nameOrNothing(unknown))}`)
  const reading = readLockedPins(given)
  if ('mistake' in reading) throw unreadable(file, reading.mistake)
  return { pins: reading.pins, others }
}

/** A link that leads nowhere is not an absent file: what it pinned cannot be read. */
const isDangling = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined

/** Parses JSON in which no object has a member twice: another reader of the file could take the other one. */
function parseStrictly(text: string, file: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw unreadable(file, toErrorMessage(thrown))
  }
  const repeated = findRepeatedMember(text)
  if (repeated !== undefined)
    throw unreadable(file, `it has the member ${JSON.stringify(nameOrNothing(repeated.name))} twice`)
  return value
}

const unreadable = (file: string, why: string, cause?: unknown) =>
  new AppError('pin-unreadable', `${file}: ${why}`, cause === undefined ? {} : { cause })

/** Milliseconds that a writer waits for another one. */
const maxWaitMs = 10_000
/** A writer needs milliseconds: an older mark was left behind by a program that was killed. */
const staleMs = 20_000
const retryMs = 20

/**
 * Changes the file, alone among all processes that use this function: `change` receives the contents of now, and what it
 * throws leaves the file as it is. The file is replaced as a whole. Throws AppError `pin-unreadable` if the present file
 * cannot be read, and `files-failed` if it cannot be written.
 */
export async function updateLock(
  file: string,
  change: (contents: LockContents) => LockContents,
): Promise<void> {
  const target = resolveLink(file)
  const release = await acquire(target)
  try {
    const next = change(readLock(file))
    const text = formatLock(next)
    const temporary = join(dirname(target), `.toolscope.lock.${randomBytes(6).toString('hex')}`)
    try {
      writeFileSync(temporary, text, { flag: 'wx', flush: true })
      renameSync(temporary, target)
    } catch (thrown) {
      rmSync(temporary, { force: true })
      throw failed(file, thrown)
    }
  } finally {
    release()
  }
}

/** Sorted keys at every level, an indentation of two spaces, and a newline at the end. */
function formatLock({ pins, others }: LockContents): string {
  const file = { sources: {}, ...others, lockVersion, ...(pins.size > 0 && { pins: writeLockedPins(pins) }) }
  return `${JSON.stringify(JSON.parse(canonicalJson(file)), null, 2)}\n`
}

function resolveLink(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

const failed = (file: string, thrown: unknown) =>
  new AppError('files-failed', `${file} could not be written: ${toErrorMessage(thrown)}`)

/** Marks the file as being written. Returns a function that removes the mark. */
async function acquire(target: string): Promise<() => void> {
  const mark = `${target}.writing`
  const own = randomBytes(12).toString('hex')
  const until = Date.now() + maxWaitMs
  for (;;) {
    try {
      createMark(mark, own)
      return () => {
        // Another process has taken over a mark that was too old.
        if (readMark(mark) === own) rmSync(mark, { force: true })
      }
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code !== 'EEXIST') throw failed(target, thrown)
    }
    removeStale(mark)
    if (Date.now() > until)
      throw new AppError('files-failed', `${target} is being written by another process`, {
        hint: `If there is none, remove ${mark}.`,
      })
    await setTimeout(retryMs)
  }
}

/** On a full disk, no empty mark stays: it would keep other writers waiting. */
function createMark(mark: string, own: string): void {
  const descriptor = openSync(mark, 'wx')
  try {
    writeFileSync(descriptor, own)
  } catch (thrown) {
    rmSync(mark, { force: true })
    throw thrown
  } finally {
    closeSync(descriptor)
  }
}

function readMark(mark: string): string | undefined {
  try {
    return readFileSync(mark, 'utf8')
  } catch {
    return undefined
  }
}

/** Two processes may find the same stale mark: the one that renames it looks again whether it is the stale one. */
function removeStale(mark: string): void {
  const age = Date.now() - (statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
  if (age < staleMs) return
  const stale = readMark(mark)
  const taken = `${mark}.${randomBytes(6).toString('hex')}`
  try {
    renameSync(mark, taken)
    if (readMark(taken) !== stale) linkSync(taken, mark)
  } catch {
    // Another process was faster.
  } finally {
    rmSync(taken, { force: true })
  }
}
