/** A name of any text as the name of a file or folder that is good on every system. */
import { createHash } from 'node:crypto'

/** Names that are a file's name as they are: lower case, for systems that take `a` and `A` for one. */
const plain = /^[a-z0-9_](?:[a-z0-9_. -]{0,78}[a-z0-9_-])?$/

/** Devices of Windows, with or without an extension. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|$)/i

/**
 * The name itself where it is harmless, else its readable part and a mark of the whole name (`getUser~8d1c02f4ab`).
 * Different names give different file names, on systems that ignore case too; no name leaves its folder. A plain
 * name never holds `~`, so it cannot be taken for a marked one. 99 characters at most.
 */
export function fileNameOf(name: string): string {
  if (plain.test(name) && !reserved.test(name)) return name
  const mark = createHash('sha256').update(name, 'utf8').digest('hex').slice(0, 10)
  return `${readableName(name)}~${mark}`
}

/** What of a name any system takes, 60 characters at most; different names may give the same. */
export function readableName(name: string): string {
  const words = name.normalize('NFKD').replace(/[^A-Za-z0-9_]+/g, '-')
  const short = words.slice(0, 60).replace(/^-+|-+$/g, '')
  return reserved.test(short) ? `_${short}` : short
}
