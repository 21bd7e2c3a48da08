/** Random schemas and values over a small vocabulary, so that conditions overlap. For tests only. */
import fc from 'fast-check'
import { type Dialect, isSince, keywords as keywordTable } from '../../schema/keywords.ts'

const names = fc.constantFrom('a', 'b', 'ab', '__proto__')
const small = fc.integer({ min: 0, max: 3 })
const numbers = fc.constantFrom(-2, -1, 0, 0.5, 1, 1.5, 2, 3, 4, 6)
const patterns = fc.constantFrom('^a', 'b$', '^[ab]*$', 'a', '^.{2}$', '^(?!b)', '^$', 'a|^b', '\\bb')
const texts = fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'bb', 'aab', '\n', 'é', 'x b')

const scalars = fc.oneof(fc.constantFrom(null, true, false), numbers, texts)

/** JSON values of up to three levels. */
export const arbitraryValues: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map(entries => Object.fromEntries(entries)),
  ),
})).value

const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')

/** Schemas that refer to themselves: the references lead to one of two definitions. */
export const arbitraryDocuments: fc.Arbitrary<unknown> = generateDocuments('2020-12')

/** Schemas of 2020-12 that use every keyword that decides about values. */
export const schemas: fc.Arbitrary<unknown> = arbitrarySchema('2020-12', [])

/** Returns schemas like `schemas`, with the keywords of a dialect. */
export function generateSchemas(dialect: Dialect): fc.Arbitrary<unknown> {
  return arbitrarySchema(dialect, [])
}

/** Returns documents like `documents`, with all keywords and references of a dialect. Does not state the dialect. */
export function generateDocuments(dialect: Dialect): fc.Arbitrary<unknown> {
  const holder = isSince(dialect, '2019-09') ? '$defs' : 'definitions'
  const hasAnchors = isSince(dialect, '2019-09')
  const dynamic =
    dialect === '2020-12'
      ? { reference: { $dynamicRef: '#d' }, anchor: { $dynamicAnchor: 'd' } }
      : { reference: { $recursiveRef: '#' }, anchor: { $recursiveAnchor: true } }
  const inside = arbitrarySchema(dialect, [
    fc.constantFrom({ $ref: `#/${holder}/p` }, { $ref: `#/${holder}/q` }),
    ...(hasAnchors ? [fc.constantFrom({ $ref: '#n' }, dynamic.reference)] : []),
  ])
  const withKeywords = (schema: unknown, added: object) =>
    hasAnchors && typeof schema === 'object' ? { ...schema, ...added } : schema
  return fc.tuple(inside, inside, inside).map(([p, q, root]) => ({
    [holder]: { p: withKeywords(p, dynamic.anchor), q: withKeywords(q, { $anchor: 'n' }) },
    ...(typeof root === 'object' ? root : { not: { not: root } }),
  }))
}

function arbitrarySchema(dialect: Dialect, leaves: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  const isDraft4 = dialect === 'draft-04'
  const plain = isDraft4 ? fc.constantFrom({}, { not: {} }) : fc.boolean()
  return fc.letrec<{ schema: unknown }>(tie => {
    const schema = tie('schema')
    const list = fc.array(schema, { minLength: 1, maxLength: 3 })
    const named = (held: fc.Arbitrary<unknown>, keys: fc.Arbitrary<string> = names, maxLength = 3) =>
      fc.array(fc.tuple(keys, held), { maxLength }).map(entries => Object.fromEntries(entries))
    const nameList = fc.uniqueArray(names, { minLength: isDraft4 ? 1 : 0, maxLength: 2 })
    const bound = isDraft4 ? fc.boolean() : numbers
    const keywords: { [keyword: string]: fc.Arbitrary<unknown> } = {
      type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
      enum: fc.array(arbitraryValues, { minLength: 1, maxLength: 3 }),
      const: arbitraryValues,
      minimum: numbers,
      maximum: numbers,
      exclusiveMinimum: bound,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(0.5, 1, 1.5, 2, 3),
      minLength: small,
      maxLength: small,
      pattern: patterns,
      prefixItems: list,
      items: isSince(dialect, '2020-12') ? schema : fc.oneof(schema, list),
      contains: schema,
      minContains: small,
      maxContains: small,
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      properties: named(schema),
      patternProperties: named(schema, patterns, 2),
      additionalProperties: schema,
      propertyNames: fc.oneof(fc.record({ pattern: patterns }), fc.record({ maxLength: small }), schema),
      required: nameList,
      dependentRequired: fc.record({ a: nameList }),
      dependentSchemas: fc.record({ a: schema }),
      minProperties: small,
      maxProperties: small,
      unevaluatedProperties: schema,
      unevaluatedItems: schema,
      allOf: list,
      anyOf: list,
      oneOf: list,
      not: schema,
      if: schema,
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
      then: schema,
      else: schema,
      ...(isSince(dialect, '2020-12') ? {} : { additionalItems: schema }),
      ...(isSince(dialect, '2019-09') ? {} : { dependencies: named(fc.oneof(schema, nameList)) }),
    }
    const known = Object.keys(keywords).filter(name =>
      isSince(dialect, keywordTable.get(name)?.since ?? 'draft-04'),
    )
    const some = fc
      .uniqueArray(fc.constantFrom(...known), { minLength: 1, maxLength: 4 })
      .chain(chosen =>
        fc.record(
          Object.fromEntries(chosen.map(keyword => [keyword, keywords[keyword] ?? fc.constant(true)])),
        ),
      )
      .map(made => (isDraft4 ? withoutIdleFlags(made) : made))
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        plain,
        fc.record({ type: types }),
        ...leaves,
        some,
        some,
      ),
    }
  }).schema
}

/** In draft 4, a flag needs its bound next to it. */
function withoutIdleFlags(schema: { readonly [keyword: string]: unknown }) {
  const entries = Object.entries(schema)
  return Object.fromEntries(
    entries.filter(
      ([name]) =>
        (name !== 'exclusiveMinimum' || 'minimum' in schema) &&
        (name !== 'exclusiveMaximum' || 'maximum' in schema),
    ),
  )
}
