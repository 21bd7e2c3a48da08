/** Makes pairs of schemas to decide: random ones over all keywords of a dialect, and edits of random and real ones. */
import fc from 'fast-check'
import {
  arbitraryValues,
  generateDocuments,
  generateSchemas,
} from '../../core/compat/testing/arbitrary-schemas.ts'
import { editRandomly } from '../../core/compat/testing/edits.ts'
import { generateValues } from '../../core/compat/testing/generate-values.ts'
import { isObject } from '../../core/json/json.ts'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import { detectDialect, stateDialect } from '../../core/schema/dialect.ts'
import { type Dialect, dialects } from '../../core/schema/keywords.ts'
import { allSchemas } from '../../core/schema/walk-schema.ts'
import { pseudoRandom } from '../../core/validation/random.ts'
import { collect } from '../compat/validators.ts'
import type { FuzzSource } from '../fuzz/run-fuzz.ts'

export interface SoakPair {
  readonly a: unknown
  readonly b: unknown
}

/** Larger schemas take most of the time and reach no other code. */
const maxCharacters = 1_500

const arbitrary = new Map(
  dialects.map(dialect => [
    dialect,
    { plain: generateSchemas(dialect), recursive: generateDocuments(dialect) },
  ]),
)

/** Returns the schemas of all tools, and their parts that are meaningful on their own. */
export function realSchemas(sources: readonly FuzzSource[]): unknown[] {
  const wholes = sources.flatMap(({ text }) =>
    parseManifestText(text).tools.flatMap(({ inputSchema, outputSchema }) => [
      inputSchema,
      outputSchema ?? true,
    ]),
  )
  const parts = wholes.flatMap(whole => {
    const dialect = detectDialect(whole)
    const inside = allSchemas(whole, 50).slice(1)
    const closed = inside.filter(({ schema }) => !JSON.stringify(schema).includes('"$ref"'))
    return [whole, ...closed.map(({ schema }) => stateDialect(schema, dialect))]
  })
  return parts.filter(schema => {
    const text = JSON.stringify(schema)
    return text.length > 30 && text.length < maxCharacters
  })
}

/** Returns the same pair for the same number and real schemas. */
export function makePair(number: number, real: readonly unknown[]): SoakPair {
  const random = pseudoRandom(number)
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const dialect = pick([...dialects, '2020-12', '2020-12', 'draft-07'] as const)
  let made = 0
  const make = (of: Dialect, recursive: boolean): unknown => {
    const source = arbitrary.get(of)?.[recursive ? 'recursive' : 'plain'] ?? fc.constant(true)
    made += 1
    const [schema] = fc.sample(source, { seed: number * 7 + made, numRuns: 1 })
    return stated(schema, of)
  }
  const isRecursive = random() < 0.25
  const kind = random()
  if (kind < 0.2) return { a: make(dialect, isRecursive), b: make(dialect, isRecursive) }
  if (kind < 0.3) return { a: make(dialect, isRecursive), b: make(pick(dialects), isRecursive) }
  const isReal = kind < 0.55 && real.length > 0
  const before = isReal ? pick(real) : make(dialect, isRecursive)
  const of = detectDialect(before)
  let after = before
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--)
    after = editRandomly(after, random, unstated(make(of, false)))
  return inOrder(stated(before, of), stated(after, of), random)
}

function inOrder(before: unknown, after: unknown, random: () => number): SoakPair {
  return random() < 0.5 ? { a: before, b: after } : { a: after, b: before }
}

function stated(schema: unknown, dialect: Dialect): unknown {
  return isObject(schema) ? stateDialect(schema, dialect) : schema
}

function unstated(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { $schema: _, ...rest } = schema
  return rest
}

const randomValues = fc.array(arbitraryValues, { minLength: 20, maxLength: 20 })
const madeValues = 4
const changesOfEach = 10
const maxBorders = 24

export function* attackValues({ a, b }: SoakPair, number: number, random: () => number): Generator<unknown> {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  const names = new Set<string>(['a', 'extra', ''])
  const borders: unknown[] = [null, true, 0, 0.5, -1, '', 'a', [], {}]
  collect(a, names, borders)
  collect(b, names, borders)
  const few = borders.length <= maxBorders ? borders : Array.from({ length: maxBorders }, () => pick(borders))
  yield* few
  yield* fc.sample(randomValues, { seed: number, numRuns: 1 })[0] ?? []
  for (const value of few) yield random() < 0.5 ? [value, pick(few)] : { [pick([...names])]: value }
  for (const made of generateValues(a, madeValues)) {
    yield made
    for (let change = 0; change < changesOfEach; change++) yield changed(made)
  }

  function changed(value: unknown, depth = 0): unknown {
    const stays = depth < 6 && random() < 0.7
    if (Array.isArray(value) && stays) {
      const at = Math.floor(random() * (value.length + 1))
      if (random() < 0.2) return value.toSpliced(at, 1)
      if (random() < 0.2) return [...value, pick([...value, pick(borders)])]
      return at === value.length ? [...value, pick(borders)] : value.with(at, changed(value[at], depth + 1))
    }
    if (isObject(value) && stays) {
      const entries = Object.entries(value)
      const at = Math.floor(random() * (entries.length + 1))
      const [name, inner] = entries[at] ?? [pick([...names]), undefined]
      if (inner !== undefined && random() < 0.3) return Object.fromEntries(entries.toSpliced(at, 1))
      const added = inner === undefined ? pick(borders) : changed(inner, depth + 1)
      return Object.fromEntries([...entries, [name, added]])
    }
    if (typeof value === 'number' && random() < 0.5) return value + pick([1, -1, 0.5, -0.5])
    if (typeof value === 'string' && random() < 0.5) return random() < 0.5 ? `${value}a` : value.slice(1)
    return pick(borders)
  }
}
