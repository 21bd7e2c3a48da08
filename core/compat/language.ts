/**
 * Regular languages as expressions with intersection and complement, evaluated with Brzozowski derivatives (J. A.
 * Brzozowski, "Derivatives of Regular Expressions", 1964). Equal expressions are one object.
 */

import { Undecided } from './proof-limits.ts'

/** Sets of Unicode code points as sorted, disjoint, inclusive ranges: `[97, 122]` is a to z. */
type CharSet = readonly number[]

const lastCodePoint = 0x10ffff

const everyChar: CharSet = [0, lastCodePoint]

function intersectChars(a: CharSet, b: CharSet): CharSet {
  const result: number[] = []
  let i = 0
  let j = 0
  while (i < a.length && j < b.length) {
    const low = Math.max(a[i] ?? 0, b[j] ?? 0)
    const highA = a[i + 1] ?? 0
    const highB = b[j + 1] ?? 0
    const high = Math.min(highA, highB)
    if (low <= high) result.push(low, high)
    if (highA < highB) i += 2
    else j += 2
  }
  return result
}

function hasChar(set: CharSet, code: number): boolean {
  for (let i = 0; i < set.length; i += 2) if (code >= (set[i] ?? 0) && code <= (set[i + 1] ?? -1)) return true
  return false
}

/** Returns the classes of characters that no set distinguishes; together they are all characters. */
function splitIntoClasses(sets: Iterable<CharSet>): CharSet[] {
  // Each elementary range is keyed by the sets that it lies in; ranges with one key make a class.
  const changes = new Map<number, number[]>([[0, []]])
  let index = 0
  for (const set of sets) {
    for (let i = 0; i < set.length; i += 2) {
      addChange(changes, set[i] ?? 0, index)
      addChange(changes, (set[i + 1] ?? 0) + 1, index)
    }
    index += 1
  }
  const starts = [...changes.keys()].filter(start => start <= lastCodePoint).sort((x, y) => x - y)
  const inside = new Set<number>()
  const classes = new Map<string, number[]>()
  for (const [at, start] of starts.entries()) {
    for (const changed of changes.get(start) ?? [])
      if (inside.has(changed)) inside.delete(changed)
      else inside.add(changed)
    const key = [...inside].sort((x, y) => x - y).join()
    const end = (starts[at + 1] ?? lastCodePoint + 1) - 1
    const known = classes.get(key)
    if (known) known.push(start, end)
    else classes.set(key, [start, end])
  }
  return [...classes.values()]
}

function addChange(changes: Map<number, number[]>, at: number, index: number): void {
  const known = changes.get(at)
  if (known) known.push(index)
  else changes.set(at, [index])
}

/** Readable ranges first. Surrogates are not characters. */
const preferred: readonly CharSet[] = [
  [0x61, 0x7a],
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x2d, 0x2d],
  [0x5f, 0x5f],
  [0x21, 0x7e],
  [0x20, 0x20],
  [0x0a, 0x0a],
  [0xa1, 0x17f],
  [0, 0xd7ff],
  [0xe000, lastCodePoint],
]

/** Returns a character that represents a set, preferably a letter; undefined if only surrogates remain. */
export function readableChar(set: CharSet): number | undefined {
  for (const range of preferred) {
    const [low] = intersectChars(set, range)
    if (low !== undefined) return low
  }
  return undefined
}

interface LanguageBase {
  readonly id: number
  /** Contains a look-behind, so that its meaning depends on the preceding text. */
  readonly conditional: boolean
  /** The size of the expression: the cost of a step through it. */
  readonly weight: number
}
export type Language = LanguageBase &
  (
    | { readonly kind: 'none' | 'empty' }
    | { readonly kind: 'chars'; readonly set: CharSet }
    | { readonly kind: 'concat'; readonly first: Language; readonly rest: Language }
    | { readonly kind: 'repeat'; readonly body: Language; readonly min: number; readonly max: number }
    | { readonly kind: 'union' | 'both'; readonly parts: readonly Language[] }
    | { readonly kind: 'not'; readonly body: Language }
    | { readonly kind: 'behind'; readonly index: number; readonly negated: boolean }
  )

type LanguageShape = Language extends infer One
  ? One extends LanguageBase
    ? Omit<One, keyof LanguageBase>
    : never
  : never

/** Whether each look-behind holds at the current position. */
export type Behinds = readonly boolean[]

const maxNodes = 300_000
const maxWeight = 512

function listSublanguages(language: Language | LanguageShape): readonly Language[] {
  switch (language.kind) {
    case 'none':
    case 'empty':
    case 'behind':
    case 'chars':
      return []
    case 'concat':
      return [language.first, language.rest]
    case 'repeat':
    case 'not':
      return [language.body]
    case 'union':
    case 'both':
      return language.parts
  }
}

export class Languages {
  private readonly table = new Map<string, Language>()
  private readonly derived = new Map<number, Map<number, Language>>()
  /** Whether an expression was refused because there are too many. */
  isFull = false
  private readonly first = new Map<number, ReadonlySet<CharSet>>()
  /** The language that each look-behind requires of the preceding text. */
  readonly behinds: Language[] = []
  readonly none: Language
  readonly empty: Language
  readonly any: Language
  readonly all: Language

  constructor() {
    this.none = this.intern('none', { kind: 'none' }, false)
    this.empty = this.intern('empty', { kind: 'empty' }, false)
    this.any = this.chars(everyChar)
    this.all = this.intern('all', { kind: 'repeat', body: this.any, min: 0, max: Infinity }, false)
    this.table.set(`repeat:${this.any.id}:0:Infinity`, this.all)
  }

  get size(): number {
    return this.table.size
  }

  private intern(key: string, shape: LanguageShape, conditional: boolean): Language {
    const known = this.table.get(key)
    if (known) return known
    this.isFull ||= this.table.size > maxNodes
    if (this.isFull) throw new Undecided('a pattern is too complex')
    let weight = 1
    for (const part of listSublanguages(shape)) weight += part.weight
    const language = {
      ...shape,
      id: this.table.size,
      conditional,
      weight: Math.min(weight, maxWeight),
    } as Language
    this.table.set(key, language)
    return language
  }

  chars(set: CharSet): Language {
    return set.length === 0 ? this.none : this.intern(`chars:${set.join()}`, { kind: 'chars', set }, false)
  }

  concat(first: Language, rest: Language): Language {
    if (first === this.none || rest === this.none) return this.none
    if (first === this.empty) return rest
    if (rest === this.empty) return first
    if (first.kind === 'concat') return this.concat(first.first, this.concat(first.rest, rest))
    if (first === this.all && (rest === this.all || (rest.kind === 'concat' && rest.first === this.all)))
      return rest
    const conditional = first.conditional || rest.conditional
    return this.intern(`concat:${first.id}:${rest.id}`, { kind: 'concat', first, rest }, conditional)
  }

  repeat(body: Language, min: number, max: number): Language {
    if (max === 0 || body === this.empty) return this.empty
    if (body === this.none) return min === 0 ? this.empty : this.none
    if (min === 1 && max === 1) return body
    return this.intern(
      `repeat:${body.id}:${min}:${max}`,
      { kind: 'repeat', body, min, max },
      body.conditional,
    )
  }

  union(parts: readonly Language[]): Language {
    const flat = this.flatten('union', parts, this.none)
    if (flat.includes(this.all) || this.hasComplement(flat)) return this.all
    return this.join('union', flat, this.none)
  }

  both(parts: readonly Language[]): Language {
    const flat = this.flatten('both', parts, this.all)
    if (flat.includes(this.none) || this.hasComplement(flat)) return this.none
    return this.join('both', flat, this.all)
  }

  not(body: Language): Language {
    if (body === this.none) return this.all
    if (body === this.all) return this.none
    if (body.kind === 'not') return body.body
    return this.intern(`not:${body.id}`, { kind: 'not', body }, body.conditional)
  }

  /** Zero-width: holds if the preceding text is (or is not) in the language. */
  behind(before: Language, negated: boolean): Language {
    let index = this.behinds.indexOf(before)
    if (index < 0) index = this.behinds.push(before) - 1
    return this.intern(`behind:${index}:${negated}`, { kind: 'behind', index, negated }, true)
  }

  word(text: string): Language {
    const codes = [...text].map(char => char.codePointAt(0) ?? 0)
    return codes.reduceRight((rest, code) => this.concat(this.chars([code, code]), rest), this.empty)
  }

  private flatten(kind: 'union' | 'both', parts: readonly Language[], neutral: Language): Language[] {
    const flat = new Set<Language>()
    for (const part of parts)
      if (part.kind === kind) for (const inner of part.parts) flat.add(inner)
      else if (part !== neutral) flat.add(part)
    return [...flat].sort((a, b) => a.id - b.id)
  }

  private hasComplement(parts: readonly Language[]): boolean {
    return parts.some(part => part.kind === 'not' && parts.includes(part.body))
  }

  private join(kind: 'union' | 'both', parts: readonly Language[], neutral: Language): Language {
    const [only] = parts
    if (!only) return neutral
    if (parts.length === 1) return only
    const key = `${kind}:${parts.map(part => part.id).join()}`
    return this.intern(
      key,
      { kind, parts },
      parts.some(part => part.conditional),
    )
  }

  /** Returns whether the language contains the empty text at this position. */
  nullable(language: Language, behinds: Behinds): boolean {
    switch (language.kind) {
      case 'none':
      case 'chars':
        return false
      case 'empty':
        return true
      case 'concat':
        return this.nullable(language.first, behinds) && this.nullable(language.rest, behinds)
      case 'repeat':
        return language.min === 0 || this.nullable(language.body, behinds)
      case 'union':
        return language.parts.some(part => this.nullable(part, behinds))
      case 'both':
        return language.parts.every(part => this.nullable(part, behinds))
      case 'not':
        return !this.nullable(language.body, behinds)
      case 'behind':
        return (behinds[language.index] ?? false) !== language.negated
    }
  }

  /** Returns the language of what may follow the character. */
  derive(language: Language, code: number, behinds: Behinds): Language {
    if (language.conditional) return this.deriveAnew(language, code, behinds)
    let known = this.derived.get(language.id)
    if (!known) {
      known = new Map()
      this.derived.set(language.id, known)
    }
    let result = known.get(code)
    if (!result) {
      result = this.deriveAnew(language, code, behinds)
      known.set(code, result)
    }
    return result
  }

  private deriveAnew(language: Language, code: number, behinds: Behinds): Language {
    const derive = (part: Language) => this.derive(part, code, behinds)
    switch (language.kind) {
      case 'none':
      case 'empty':
      case 'behind':
        return this.none
      case 'chars':
        return hasChar(language.set, code) ? this.empty : this.none
      case 'concat': {
        const after = this.concat(derive(language.first), language.rest)
        return this.nullable(language.first, behinds) ? this.union([after, derive(language.rest)]) : after
      }
      case 'repeat': {
        const left = this.nullable(language.body, behinds) ? 0 : Math.max(0, language.min - 1)
        return this.concat(derive(language.body), this.repeat(language.body, left, language.max - 1))
      }
      case 'union':
        return this.union(language.parts.map(derive))
      case 'both':
        return this.both(language.parts.map(derive))
      case 'not':
        return this.not(derive(language.body))
    }
  }

  /** Returns the character sets that decide the next step of the language. */
  private firstSets(language: Language): ReadonlySet<CharSet> {
    const known = this.first.get(language.id)
    if (known) return known
    const result = new Set<CharSet>()
    for (const part of this.firstParts(language)) for (const set of this.firstSets(part)) result.add(set)
    if (language.kind === 'chars') result.add(language.set)
    if (result.size > 1_000) throw new Undecided('a pattern tells too many characters apart')
    this.first.set(language.id, result)
    return result
  }

  private firstParts(language: Language): readonly Language[] {
    if (language.kind === 'concat' && !this.canSkip(language.first)) return [language.first]
    return listSublanguages(language)
  }

  /** Returns the look-behinds at the start of a text, without those that do not affect the language. */
  behindsOf(language: Language): readonly Language[] {
    const found = new Set<number>()
    const open = [language]
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      if (!part.conditional) continue
      const body = part.kind === 'behind' && !found.has(part.index) ? this.behinds[part.index] : undefined
      if (part.kind === 'behind') found.add(part.index)
      open.push(...listSublanguages(part), ...(body ? [body] : []))
    }
    return this.behinds.map((behind, index) => (found.has(index) ? behind : this.none))
  }

  /** Whether the language may contain the empty text at some position. */
  private canSkip(language: Language): boolean {
    return language.conditional || this.nullable(language, [])
  }

  /** Returns classes of characters that these languages treat alike at their next step. */
  classes(languages: readonly Language[]): CharSet[] {
    return splitIntoClasses(new Set(languages.flatMap(language => [...this.firstSets(language)])))
  }
}
