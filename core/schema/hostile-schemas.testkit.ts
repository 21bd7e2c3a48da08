/** Schemas made to cost time, memory or stack; each is one that a source can send. */
import type { JsonSchema } from '../tool/tool.ts'

const count = 30_000
const words = (prefix: string, length = count) => Array.from({ length }, (_, index) => `${prefix}${index}`)
const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

/** Matching `aaaa…!` against it takes a backtracking engine for ever. */
const catastrophicPattern = '^(a+)+$'

function nested(depth: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema {
  let schema: JsonSchema = { type: 'string' }
  for (let level = 0; level < depth; level++) schema = wrap(schema)
  return schema
}

/** Each definition uses the next one twice. */
function doubling(keyword: 'allOf' | 'anyOf' | 'oneOf', levels = 40): JsonSchema {
  const $defs: Record<string, JsonSchema> = {
    [`level${levels}`]: { type: 'object', properties: { end: { type: 'string' } } },
  }
  for (let level = 0; level < levels; level++) {
    const next = { $ref: `#/$defs/level${level + 1}` }
    $defs[`level${level}`] = { [keyword]: [next, { ...next }] }
  }
  return {
    type: 'object',
    $defs,
    properties: { value: { $ref: '#/$defs/level0' } },
    allOf: [{ $ref: '#/$defs/level0' }],
  }
}

/** By name. Two calls share nothing. */
export function hostileSchemas(): Readonly<Record<string, JsonSchema>> {
  return {
    'an enum of 30,000': object({ value: { enum: words('word') } }),
    'an enum of 30,000 other values': object({ value: { enum: words('other') } }),
    'an enum of 30,000, one of them new': object({ value: { enum: [...words('word', count - 1), 'new'] } }),
    'an enum of 30,000 in reverse': object({ value: { enum: words('word').reverse() } }),
    'an enum of 30,000 objects': object({ value: { enum: words('word').map(word => ({ word })) } }),
    'an enum of 30,000 numbers': object({ value: { enum: words('').map(Number) } }),
    'two enums of 30,000 in allOf': object({
      value: { allOf: [{ enum: words('word') }, { enum: words('word').reverse() }] },
    }),
    'anyOf of 30,000 consts': object({ value: { anyOf: words('word').map(word => ({ const: word })) } }),
    'anyOf of 30,000 objects': object({
      value: {
        anyOf: words('kind').map(kind => object({ kind: { const: kind }, text: { type: 'string' } })),
      },
    }),
    'oneOf of 30,000 strings and a number': object({
      value: {
        oneOf: [
          ...words('word').map(word => ({ type: 'string', minLength: word.length })),
          { type: 'number' },
        ],
      },
    }),
    'allOf of 30,000': object({
      value: { allOf: words('field').map(field => object({ [field]: { type: 'string' } })) },
    }),
    '30,000 properties': object(Object.fromEntries(words('field').map(name => [name, { type: 'string' }]))),
    '30,000 other properties': object(
      Object.fromEntries(words('input').map(name => [name, { type: 'string' }])),
    ),
    '30,000 required names': { type: 'object', required: words('field') },
    '30,000 conditions': {
      type: 'object',
      allOf: words('field').map(name => ({
        if: { properties: { [name]: { const: 1 } } },
        // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
        then: { required: [`${name}x`] },
      })),
    },
    '30,000 patterns for names': {
      type: 'object',
      patternProperties: Object.fromEntries(words('^field').map(name => [`${name}$`, { type: 'string' }])),
      minProperties: 50,
    },
    '30,000 definitions': {
      ...(object({ value: { $ref: '#/$defs/field0' } }) as object),
      $defs: Object.fromEntries(
        words('field').map((name, index) => [name, { $ref: `#/$defs/field${index + 1}` }]),
      ),
    },
    'objects 10,000 deep': object({
      value: nested(10_000, inner => ({ type: 'object', properties: { a: inner } })),
    }),
    'allOf 10,000 deep': object({ value: nested(10_000, inner => ({ allOf: [inner] })) }),
    'anyOf 10,000 deep': object({ value: nested(10_000, inner => ({ anyOf: [inner, { type: 'null' }] })) }),
    'objects 300 deep': object({
      value: nested(300, inner => ({ type: 'object', properties: { a: inner }, required: ['a'] })),
    }),
    'not 300 deep': object({ value: nested(300, inner => ({ not: inner })) }),
    'doubling allOf': doubling('allOf'),
    'doubling anyOf': doubling('anyOf'),
    'doubling oneOf': doubling('oneOf'),
    'a catastrophic pattern': object({
      value: { type: 'string', pattern: catastrophicPattern, minLength: 40 },
    }),
    'a catastrophic pattern that no text matches': object({
      value: { type: 'string', pattern: '^(a|a)*(a|aa)+b$', minLength: 60, maxLength: 70 },
    }),
    'a catastrophic pattern that looks ahead': object({
      value: { type: 'string', pattern: '^(?=(a+)+$)(a|b)+c$', minLength: 40 },
    }),
    'a catastrophic back-reference': object({
      value: { type: 'string', pattern: '^(a+)+\\1(a+)+b$', default: `${'a'.repeat(40)}!` },
    }),
    'a catastrophic pattern with an example': object({
      value: { type: 'string', pattern: catastrophicPattern, examples: [`${'a'.repeat(50)}!`] },
    }),
    'a pattern that repeats 1,000 × 1,000': object({
      value: { type: 'string', pattern: '^((a{1,1000}){1,1000})$' },
    }),
    'a pattern of 100,000 characters': object({
      value: { type: 'string', pattern: `^${'(a|b)'.repeat(20_000)}$` },
    }),
    'a pattern of 20,000 brackets': object({ value: { type: 'string', pattern: '('.repeat(20_000) } }),
    'lists that want 10^9 items': object({
      value: { type: 'array', minItems: 1e9, items: { type: 'string', minLength: 1e9 } },
    }),
    'unique items of 10^6': object({
      value: { type: 'array', minItems: 1e6, uniqueItems: true, items: { type: 'boolean' } },
    }),
    'lists of lists of 200': object({
      value: nested(6, items => ({ type: 'array', minItems: 200, items })),
    }),
    'a schema that requires itself': {
      $defs: { node: object({ left: { $ref: '#/$defs/node' }, right: { $ref: '#/$defs/node' } }) },
      ...(object({ value: { $ref: '#/$defs/node' } }) as object),
    },
    'a circle of references': {
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
      ...(object({ value: { $ref: '#/$defs/a' } }) as object),
    },
    'a reference to itself in anyOf': {
      $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } },
      ...(object({ value: { $ref: '#/$defs/a' } }) as object),
    },
    'a default of 30,000 items': object({ value: { type: 'array', default: words('word') } }),
    'a description of 1,000,000 characters': object({
      value: { type: 'string', description: 'word '.repeat(200_000) },
    }),
    'a description of 1,000,000 characters without a space': object({
      value: { type: 'string', description: 'w'.repeat(1_000_000) },
    }),
    'multipleOf of 10^-300': object({ value: { type: 'number', multipleOf: 1e-300, minimum: 1e300 } }),
  }
}
