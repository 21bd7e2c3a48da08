import type { Change } from '../../../core/diff/change.ts'
import { messageAt } from '../../../core/report/diff-summary.ts'

/** The change in words, in parts: `Input` `formats[].type` `maximum lowered: 100 → 50`. */
export interface ChangeTitle {
  readonly about: string
  /** The location in the value, in the notation of code; empty for the whole value. */
  readonly location: string
  readonly text: string
}

const abouts = {
  input: 'Input',
  output: 'Output',
  text: 'Input',
  annotation: '',
  tool: '',
} as const

export function buildChangeTitle(change: Change): ChangeTitle {
  const { direction, path, tools } = change
  const location = path.startsWith('/') ? formatPointer(path) : ''
  const text = messageAt(change)
  // The message of a change of a whole schema is complete.
  if (location === '' && (tools === undefined || direction !== 'input'))
    return { about: '', location, text: capital(text) }
  const isOutput = direction === 'text' && text.startsWith('output ')
  return {
    about: isOutput ? 'Output' : abouts[direction],
    location,
    text: isOutput ? text.slice('output '.length) : text,
  }
}

/** Converts `/formats/0/type` to `formats[0].type`; any item (`*`) is `[]`. */
export function formatPointer(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((location, part) => {
      if (part === '*') return `${location}[]`
      if (/^\d+$/.test(part)) return `${location}[${part}]`
      return location === '' ? part : `${location}.${part}`
    }, '')
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)

/** Short names of the two sides: `3.5.2` and `3.20.0`, or `before` and `after`. */
export interface SideNames {
  readonly before: string
  readonly after: string
}

/** Longer names leave no space for the rest of the sentence. */
const maxCharacters = 24

/** Returns `acme@3` and `acme`, or the file names of two paths; `before` and `after` if these are long or the same. */
export function sideNames(a: string, b: string): SideNames {
  const [before, after] = [shortName(a), shortName(b)]
  const isClear = before !== after && Math.max(before.length, after.length) <= maxCharacters
  return isClear ? { before, after } : { before: 'before', after: 'after' }
}

/** Returns the end of a path, which distinguishes it from the other one. */
const shortName = (label: string) =>
  label
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/\.json$/, '') ?? label

const printed = new WeakMap<object, string>()

/**
 * Formats a part of a schema or a witness as readable JSON. Never throws: a value that is nested too deep gives a note.
 */
export function printValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'absent'
  const known = printed.get(value)
  if (known !== undefined) return known
  let text: string
  try {
    text = JSON.stringify(value, null, 2)
  } catch {
    text = '(nested too deeply to be shown)'
  }
  // Short values are on one line. Only layout is joined, because line ends inside strings are escaped.
  const line = text.length < 400 ? text.replace(/\n\s*/g, ' ') : text
  const result = line.length <= 90 ? line : text
  printed.set(value, result)
  return result
}
