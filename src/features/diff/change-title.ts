import type { Change } from '../../../core/diff/change.ts'
import { messageAt } from '../../../core/report/diff-summary.ts'
import { texts } from './texts.ts'

/** The change in words, in parts: `Input` `formats[].type` `maximum lowered: 100 → 50`. */
export interface ChangeTitle {
  readonly about: string
  /** The location in the value, in the notation of code; empty for the whole value. */
  readonly location: string
  readonly text: string
}

const abouts = {
  input: texts.input,
  output: texts.output,
  text: texts.input,
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
    about: isOutput ? texts.output : abouts[direction],
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
