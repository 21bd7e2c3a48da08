/** Type expressions of JSDoc and Python, down to what a declaration can say. */
import type { DeclaredParameter } from './declaration.ts'

export interface ReadType {
  readonly shape: Pick<DeclaredParameter, 'type' | 'choices'>
  /** The type says that the value may be absent (`?`, `=`, `Optional[…]`, `… | None`). */
  readonly optional: boolean
  /** The type is none that functions.json knows. */
  readonly unknown: boolean
}

const words: Readonly<Record<string, DeclaredParameter['type']>> = {
  string: 'string',
  str: 'string',
  boolean: 'boolean',
  bool: 'boolean',
  integer: 'integer',
  int: 'integer',
  number: 'number',
  float: 'number',
  'string[]': 'string[]',
  'array<string>': 'string[]',
  'list[str]': 'string[]',
  'sequence[str]': 'string[]',
}

/** Nested wrappers beyond this are hostile, not types. */
const maxDepth = 20

/** Reads `string`, `'a'|'b'`, `string[]`, `Optional[int]`, `Literal["x", "y"]`, `int | None` … */
export function readType(text: string, depth = 0): ReadType {
  const type = text.trim()
  if (depth > maxDepth) return unknown
  const suffix = /^(.+)[?=]$/s.exec(type)?.[1] ?? /^\?(.+)$/s.exec(type)?.[1]
  if (suffix !== undefined) return { ...readType(suffix, depth + 1), optional: true }
  const wrapped = /^(?:typing\.)?(\w+)\[(.*)\]$/s.exec(type)
  if (wrapped?.[1] === 'Optional') return { ...readType(wrapped[2] ?? '', depth + 1), optional: true }
  if (wrapped?.[1] === 'Literal') return literals(splitTop(wrapped[2] ?? '', ','), false)
  if (wrapped?.[1] === 'Union') return union(splitTop(wrapped[2] ?? '', ','), depth)
  const bare = /^\((.*)\)$/s.exec(type)?.[1] ?? type
  const branches = splitTop(bare, '|')
  if (branches.length > 1) return union(branches, depth)
  if (quoted(bare) !== null) return literals([bare], false)
  const normal = bare
    .replace(/^typing\./, '')
    .replace(/\s+/g, '')
    .toLowerCase()
  const known = Object.hasOwn(words, normal) ? words[normal] : undefined
  if (known !== undefined) return { shape: { type: known }, optional: false, unknown: false }
  return unknown
}

const unknown: ReadType = { shape: {}, optional: false, unknown: true }
const absences = new Set(['None', 'null', 'undefined'])

function union(branches: readonly string[], depth: number): ReadType {
  const present = branches.map(branch => branch.trim()).filter(branch => !absences.has(branch))
  const optional = present.length < branches.length
  const [first] = present
  if (first !== undefined && present.length === 1) {
    const only = readType(first, depth + 1)
    return { ...only, optional: optional || only.optional }
  }
  return literals(present, optional)
}

function literals(texts: readonly string[], optional: boolean): ReadType {
  const choices = texts.map(quoted)
  if (choices.length === 0 || choices.includes(null)) return { ...unknown, optional }
  return {
    shape: { type: 'string', choices: choices.filter(choice => choice !== null) },
    optional,
    unknown: false,
  }
}

function quoted(text: string): string | null {
  const match = /^\s*(['"])(.*)\1\s*$/s.exec(text)
  const inner = match?.[2]
  return inner === undefined || inner.includes(match?.[1] ?? '') ? null : inner
}

/** Splits at a separator that stands outside brackets and quotes. Linear. */
export function splitTop(text: string, separator: string): string[] {
  const parts: string[] = []
  let depth = 0
  let quote = ''
  let from = 0
  for (let index = 0; index < text.length; index++) {
    const character = text[index] ?? ''
    if (quote !== '') {
      if (character === '\\') index++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if ('([{<'.includes(character)) depth++
    else if (')]}>'.includes(character)) depth--
    else if (character === separator && depth === 0) {
      parts.push(text.slice(from, index))
      from = index + 1
    }
  }
  parts.push(text.slice(from))
  return parts.length > 1 && parts.at(-1)?.trim() === '' ? parts.slice(0, -1) : parts
}
