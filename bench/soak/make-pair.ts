/** Pairs of schemas to decide: random ones over all keywords of a dialect, and edits of random and real ones. */
import fc from 'fast-check'
import { documentsOf, schemasOf } from '../../core/compat/testing/arbitrary-schemas.ts'
import { edit } from '../../core/compat/testing/edits.ts'
import { isObject } from '../../core/json/json.ts'
import { dialectOf, stateDialect } from '../../core/json-schema/dialect.ts'
import { type Dialect, dialects } from '../../core/json-schema/keywords.ts'
import { allSchemas } from '../../core/json-schema/walk.ts'
import { parseManifestText } from '../../core/manifest/parse-manifest-text.ts'
import { pseudoRandom } from '../../core/pattern/random.ts'
import type { FuzzSource } from '../fuzz/sources.ts'

export interface SoakPair {
  readonly a: unknown
  readonly b: unknown
}

/** Larger schemas take most of the time and meet no other code. */
const maxCharacters = 1_500

const arbitrary = new Map(
  dialects.map(dialect => [dialect, { plain: schemasOf(dialect), recursive: documentsOf(dialect) }]),
)

/** The schemas of all tools, with the parts of each that mean something without the rest. */
export function realSchemas(sources: readonly FuzzSource[]): unknown[] {
  const wholes = sources.flatMap(({ text }) =>
    parseManifestText(text).tools.flatMap(({ inputSchema, outputSchema }) => [
      inputSchema,
      outputSchema ?? true,
    ]),
  )
  const parts = wholes.flatMap(whole => {
    const dialect = dialectOf(whole)
    const inside = allSchemas(whole, 50).slice(1)
    const closed = inside.filter(({ schema }) => !JSON.stringify(schema).includes('"$ref"'))
    return [whole, ...closed.map(({ schema }) => stateDialect(schema, dialect))]
  })
  return parts.filter(schema => {
    const text = JSON.stringify(schema)
    return text.length > 30 && text.length < maxCharacters
  })
}

/** The same for the same number and real schemas. */
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
  const of = dialectOf(before)
  let after = before
  for (let edits = 1 + Math.floor(random() * 3); edits > 0; edits--)
    after = edit(after, random, unstated(make(of, false)))
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
