/** Makes pairs of schemas, and values to try on them. For bench/. */
import fc from 'fast-check'
import { isObject } from '../../json/json.ts'
import { detectDialect, stateDialect } from '../../schema/dialect.ts'
import { type Dialect, dialects } from '../../schema/keywords.ts'
import { pseudoRandom } from '../../validation/random.ts'
import { arbitraryValues, generateDocuments, generateSchemas } from './arbitrary-schemas.ts'
import { editRandomly } from './edits.ts'
import { generateValues } from './generate-values.ts'
import { collectValues } from './independent-checks.ts'

export interface Pair {
  readonly a: unknown
  readonly b: unknown
}

export const createPick =
  (random: () => number) =>
  <Item>(items: readonly Item[]) =>
    items[Math.floor(random() * items.length)] as Item

const arbitrary = new Map(
  dialects.map(dialect => [
    dialect,
    { plain: generateSchemas(dialect), recursive: generateDocuments(dialect) },
  ]),
)

/**
 * Random schemas over all keywords of a dialect, or edits of random and real ones. The same number and real schemas give
 * the same pair.
 */
export function makePair(number: number, real: readonly unknown[]): Pair {
  const random = pseudoRandom(number)
  const choose = createPick(random)
  const dialect = choose([...dialects, '2020-12', '2020-12', 'draft-07'] as const)
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
  if (kind < 0.3) return { a: make(dialect, isRecursive), b: make(choose(dialects), isRecursive) }
  const isReal = kind < 0.55 && real.length > 0
  const before = isReal ? choose(real) : make(dialect, isRecursive)
  const of = detectDialect(before)
  let after = before
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--)
    after = editRandomly(after, random, unstated(make(of, false)))
  return inOrder(stated(before, of), stated(after, of), random)
}

function inOrder(before: unknown, after: unknown, random: () => number): Pair {
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

export function* attackValues({ a, b }: Pair, number: number, random: () => number): Generator<unknown> {
  const choose = createPick(random)
  const names = new Set<string>(['a', 'extra', ''])
  const borders: unknown[] = [null, true, 0, 0.5, -1, '', 'a', [], {}]
  collectValues(a, names, borders)
  collectValues(b, names, borders)
  const few =
    borders.length <= maxBorders ? borders : Array.from({ length: maxBorders }, () => choose(borders))
  yield* few
  yield* fc.sample(randomValues, { seed: number, numRuns: 1 })[0] ?? []
  for (const value of few) yield random() < 0.5 ? [value, choose(few)] : { [choose([...names])]: value }
  for (const made of generateValues(a, madeValues)) {
    yield made
    for (let change = 0; change < changesOfEach; change++) yield changed(made)
  }

  function changed(value: unknown, depth = 0): unknown {
    const stays = depth < 6 && random() < 0.7
    if (Array.isArray(value) && stays) {
      const at = Math.floor(random() * (value.length + 1))
      if (random() < 0.2) return value.toSpliced(at, 1)
      if (random() < 0.2) return [...value, choose([...value, choose(borders)])]
      return at === value.length ? [...value, choose(borders)] : value.with(at, changed(value[at], depth + 1))
    }
    if (isObject(value) && stays) {
      const entries = Object.entries(value)
      const at = Math.floor(random() * (entries.length + 1))
      const [name, inner] = entries[at] ?? [choose([...names]), undefined]
      if (inner !== undefined && random() < 0.3) return Object.fromEntries(entries.toSpliced(at, 1))
      const added = inner === undefined ? choose(borders) : changed(inner, depth + 1)
      return Object.fromEntries([...entries, [name, added]])
    }
    if (typeof value === 'number' && random() < 0.5) return value + choose([1, -1, 0.5, -0.5])
    if (typeof value === 'string' && random() < 0.5) return random() < 0.5 ? `${value}a` : value.slice(1)
    return choose(borders)
  }
}
