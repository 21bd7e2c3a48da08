/** Converts any name into a file or folder name that every system accepts. */
import { createHash } from 'node:crypto'

/** Names that are used unchanged: lower case, because some systems treat `a` and `A` as the same. */
const plain = /^[a-z0-9_](?:[a-z0-9_. -]{0,78}[a-z0-9_-])?$/

/** Device names of Windows, with or without an extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i

/**
 * Returns the name itself if it is harmless, else its readable part and a hash of the whole name
 * (`getUser~8d1c02f4ab`). Different names give different file names, even on systems that ignore case, and no name
 * leads out of its folder. A plain name never contains `~`, so it cannot equal a hashed one. At most 99 characters.
 */
export function toExampleFileName(name: string): string {
  if (plain.test(name) && !reserved.test(name)) return name
  const mark = createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 10)
  return `${readableName(name)}~${mark}`
}

/**
 * Returns the part of a name that every system accepts, at most 60 characters. Different names may give the same part.
 */
export function readableName(name: string): string {
  const words = name.normalize('NFKD').replace(/[^A-Za-z0-9_]+/g, '-')
  const short = words.slice(0, 60).replace(/^-+|-+$/g, '')
  return reserved.test(short) ? `_${short}` : short
}
