/** Random schemas and values over a small vocabulary, so that conditions meet. For tests only. */
import fc from 'fast-check'

const names = fc.constantFrom('a', 'b', 'ab', '__proto__')
const small = fc.integer({ min: 0, max: 3 })
const numbers = fc.constantFrom(-2, -1, 0, 0.5, 1, 1.5, 2, 3, 4, 6)
const patterns = fc.constantFrom('^a', 'b$', '^[ab]*$', 'a', '^.{2}$', '^(?!b)', '^$', 'a|^b', '\\bb')
const texts = fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'bb', 'aab', '\n', 'é', 'x b')

const scalars = fc.oneof(fc.constantFrom(null, true, false), numbers, texts)

/** JSON values of up to three levels. */
export const values: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(names, tie('value')), { maxLength: 3 }).map(entries => Object.fromEntries(entries)),
  ),
})).value

const types = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')

/** Schemas that refer to themselves: the references lead to one of two definitions. */
export const documents: fc.Arbitrary<unknown> = (() => {
  const inside = arbitrarySchema([fc.constantFrom({ $ref: '#/$defs/p' }, { $ref: '#/$defs/q' })])
  return fc.tuple(inside, inside, inside).map(([p, q, root]) => ({
    $defs: { p, q },
    ...(typeof root === 'object' ? root : { not: { not: root } }),
  }))
})()

/** Schemas of 2020-12 that use every keyword that decides about values. */
export const schemas: fc.Arbitrary<unknown> = arbitrarySchema([])

function arbitrarySchema(leaves: readonly fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> {
  return fc.letrec<{ schema: unknown }>(tie => {
    const schema = tie('schema')
    const list = fc.array(schema, { minLength: 1, maxLength: 3 })
    const byName = fc
      .array(fc.tuple(names, schema), { maxLength: 3 })
      .map(entries => Object.fromEntries(entries))
    const byPattern = fc
      .array(fc.tuple(patterns, schema), { maxLength: 2 })
      .map(entries => Object.fromEntries(entries))
    const keywords: { [keyword: string]: fc.Arbitrary<unknown> } = {
      type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
      enum: fc.array(values, { minLength: 1, maxLength: 3 }),
      const: values,
      minimum: numbers,
      maximum: numbers,
      exclusiveMinimum: numbers,
      exclusiveMaximum: numbers,
      multipleOf: fc.constantFrom(0.5, 1, 1.5, 2, 3),
      minLength: small,
      maxLength: small,
      pattern: patterns,
      prefixItems: list,
      items: schema,
      contains: schema,
      minContains: small,
      maxContains: small,
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
      properties: byName,
      patternProperties: byPattern,
      additionalProperties: schema,
      propertyNames: fc.oneof(fc.record({ pattern: patterns }), fc.record({ maxLength: small }), schema),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      dependentRequired: fc.record({ a: fc.uniqueArray(names, { maxLength: 2 }) }),
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
    }
    const some = fc
      .uniqueArray(fc.constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 })
      .chain(chosen =>
        fc.record(
          Object.fromEntries(chosen.map(keyword => [keyword, keywords[keyword] ?? fc.constant(true)])),
        ),
      )
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'small' },
        fc.boolean(),
        fc.record({ type: types }),
        ...leaves,
        some,
        some,
      ),
    }
  }).schema
}
