// biome-ignore-all lint/suspicious/noThenProperty: a keyword of JSON Schema.
import { beforeAll, describe, test } from 'vitest'
import { loadCompat } from './is-subschema.ts'
import { expectRelation, type Relation } from './testing/expect-verdict.ts'

beforeAll(loadCompat)

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest })
const text = { type: 'string' }
const whole = { type: 'integer' }

/** One line a rule: what it is, two schemas, how they stand to each other. */
const rules: { [group: string]: [string, unknown, unknown, Relation][] } = {
  types: [
    ['everything and anything', {}, true, 'equal'],
    ['nothing', false, { type: 'string' }, 'narrower'],
    ['no type is not one type', {}, { type: 'object' }, 'wider'],
    ['integer and number', whole, { type: 'number' }, 'narrower'],
    ['integer is number by steps of one', whole, { type: 'number', multipleOf: 1 }, 'equal'],
    ['a keyword of another type says nothing', { minimum: 5 }, { minimum: 5, minLength: 1 }, 'wider'],
    ['all types listed', { type: ['null', 'boolean', 'number', 'string', 'array', 'object'] }, {}, 'equal'],
    ['type array and anyOf', { type: ['string', 'null'] }, { anyOf: [text, { type: 'null' }] }, 'equal'],
  ],
  values: [
    ['1.0 is an integer', { const: 1.0 }, whole, 'narrower'],
    ['true is not 1', { const: true }, { const: 1 }, 'apart'],
    ['enum and anyOf of const', { enum: ['a', 1] }, { anyOf: [{ const: 'a' }, { const: 1 }] }, 'equal'],
    ['enum grows', { enum: ['a'] }, { enum: ['a', 'b'] }, 'narrower'],
    ['both booleans', { enum: [true, false] }, { type: 'boolean' }, 'equal'],
    ['order of keys', { const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }, 'equal'],
    ['order of items', { const: [1, 2] }, { const: [2, 1] }, 'apart'],
    [
      'a constant object under rules',
      { const: { a: 1 } },
      object({ a: whole }, { required: ['a'] }),
      'narrower',
    ],
    ['a constant next to a type that it does not have', { const: 1, type: 'string' }, false, 'equal'],
    ['__proto__ is a name like any other', JSON.parse('{"const":{"__proto__":1}}'), { const: {} }, 'apart'],
  ],
  numbers: [
    ['minimum', { type: 'number', minimum: 5 }, { type: 'number', minimum: 4 }, 'narrower'],
    ['strict minimum of integers', { ...whole, exclusiveMinimum: 4 }, { ...whole, minimum: 5 }, 'equal'],
    ['strict minimum of numbers', { exclusiveMinimum: 4 }, { minimum: 5 }, 'wider'],
    ['multiples', { multipleOf: 6 }, { multipleOf: 4 }, 'apart'],
    ['multiples of both', { allOf: [{ multipleOf: 6 }, { multipleOf: 4 }] }, { multipleOf: 12 }, 'equal'],
    ['decimal steps are exact', { multipleOf: 0.3 }, { multipleOf: 0.1 }, 'narrower'],
    ['integers by fractional steps', { ...whole, multipleOf: 1.5 }, { ...whole, multipleOf: 3 }, 'equal'],
    [
      'a gap of an integer range',
      { ...whole, minimum: 1, maximum: 3, not: { const: 2 } },
      { enum: [1, 3] },
      'equal',
    ],
    ['an empty interval', { type: 'number', minimum: 2, maximum: 1 }, false, 'equal'],
    [
      'an open interval without integers',
      { ...whole, exclusiveMinimum: 1, exclusiveMaximum: 2 },
      false,
      'equal',
    ],
    [
      'an open interval of numbers',
      { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 },
      false,
      'wider',
    ],
    ['covered by two intervals', { type: 'number' }, { anyOf: [{ minimum: 0 }, { maximum: 0 }] }, 'narrower'],
    [
      'nearly covered',
      { type: 'number' },
      { anyOf: [{ exclusiveMinimum: 0 }, { exclusiveMaximum: 0 }] },
      'apart',
    ],
  ],
  texts: [
    ['lengths', { ...text, minLength: 2 }, { ...text, minLength: 1 }, 'narrower'],
    ['length counts code points', { const: '😀' }, { maxLength: 1 }, 'narrower'],
    ['minLength 1 does not imply .+', { ...text, minLength: 1 }, { ...text, pattern: '.+' }, 'wider'],
    ['.+ without line ends', { ...text, pattern: '^.+$' }, { ...text, minLength: 1 }, 'narrower'],
    ['any character', { ...text, minLength: 1 }, { ...text, pattern: '[^]' }, 'equal'],
    ['a search is not anchored', { ...text, pattern: 'a' }, { ...text, pattern: '^a' }, 'wider'],
    ['an empty pattern', { ...text, pattern: '' }, text, 'equal'],
    [
      'a pattern bounds the length',
      { ...text, pattern: '^[0-9]{3,5}$' },
      { ...text, minLength: 3, maxLength: 5 },
      'narrower',
    ],
    ['alternatives', { pattern: '^(a|b)$' }, { pattern: '^[ab]$' }, 'equal'],
    ['a pattern of finitely many texts', { ...text, pattern: '^[ab]$' }, { enum: ['a', 'b'] }, 'equal'],
    ['look-ahead', { ...text, pattern: '^(?=.{3}$)[a-z]+$' }, { ...text, pattern: '^[a-z]{3}$' }, 'equal'],
    ['word boundary', { ...text, pattern: '\\bcat\\b' }, { ...text, pattern: 'cat' }, 'narrower'],
    ['a control escape', { ...text, pattern: '^\\cC$' }, { const: '\u0003' }, 'equal'],
    ['catastrophic backtracking', { ...text, pattern: '^(a+)+$' }, { ...text, pattern: '^a+$' }, 'equal'],
    ['format is an annotation', { ...text, format: 'email' }, text, 'equal'],
  ],
  arrays: [
    ['items', { type: 'array', items: whole }, { type: 'array', items: { type: 'number' } }, 'narrower'],
    [
      'prefix and tail',
      { prefixItems: [whole], items: text },
      { items: { type: ['integer', 'string'] } },
      'narrower',
    ],
    [
      'no tail',
      { type: 'array', prefixItems: [{}, {}], items: false },
      { type: 'array', maxItems: 2 },
      'equal',
    ],
    ['no items at all', { type: 'array', items: false }, { const: [] }, 'equal'],
    ['contains', { type: 'array', contains: whole }, { type: 'array', minItems: 1 }, 'narrower'],
    ['contains nothing', { type: 'array', contains: false }, false, 'equal'],
    ['minContains 0', { type: 'array', contains: whole, minContains: 0 }, { type: 'array' }, 'equal'],
    [
      'contains two kinds',
      { type: 'array', allOf: [{ contains: whole }, { contains: text }] },
      { minItems: 2 },
      'narrower',
    ],
    [
      'maxContains',
      { type: 'array', contains: {}, maxContains: 2 },
      { type: 'array', minItems: 1, maxItems: 2 },
      'equal',
    ],
    ['contains next to items', { type: 'array', items: whole, contains: text }, false, 'equal'],
    [
      'unique booleans',
      { type: 'array', uniqueItems: true, items: { type: 'boolean' } },
      { maxItems: 2 },
      'narrower',
    ],
    [
      'too many unique items',
      { type: 'array', uniqueItems: true, items: { enum: [1, 2] }, minItems: 3 },
      false,
      'equal',
    ],
    [
      'unique items in a matching',
      { type: 'array', uniqueItems: true, prefixItems: [{ enum: [1, 2] }, { const: 1 }], minItems: 2 },
      { prefixItems: [{ const: 2 }] },
      'narrower',
    ],
    ['one item is always unique', { type: 'array', maxItems: 1 }, { uniqueItems: true }, 'narrower'],
    ['1 and 1.0 are one item', { const: [1, 1.0] }, { uniqueItems: true }, 'apart'],
    [
      'unevaluated items',
      { type: 'array', allOf: [{ prefixItems: [{}] }], unevaluatedItems: false },
      { type: 'array', maxItems: 1 },
      'equal',
    ],
  ],
  objects: [
    ['required', object({}, { required: ['a'] }), { type: 'object' }, 'narrower'],
    [
      'minProperties does not imply a name',
      { type: 'object', minProperties: 1 },
      { type: 'object', required: ['p1'] },
      'wider',
    ],
    ['a new optional property of an open object', object({ a: text }), object({ a: text, b: text }), 'wider'],
    [
      'a property of a closed object',
      object({ a: text }, { additionalProperties: false }),
      object({ a: text, b: text }, { additionalProperties: false }),
      'narrower',
    ],
    [
      'a property that is not allowed',
      object({ a: false }),
      { type: 'object', not: { required: ['a'] } },
      'equal',
    ],
    ['a required property that is not allowed', object({ a: false }, { required: ['a'] }), false, 'equal'],
    [
      'patterns and names',
      { type: 'object', patternProperties: { '^a': text } },
      object({ ab: text }),
      'narrower',
    ],
    [
      'patterns that overlap',
      { type: 'object', patternProperties: { '^a': text, b$: whole } },
      object({ ab: false }),
      'narrower',
    ],
    [
      'additional next to patterns',
      { type: 'object', patternProperties: { '^a': {} }, additionalProperties: false },
      { type: 'object', propertyNames: { pattern: '^a' } },
      'equal',
    ],
    [
      'propertyNames of finitely many names',
      { type: 'object', propertyNames: { enum: ['a', 'b'] } },
      { type: 'object', maxProperties: 2 },
      'narrower',
    ],
    [
      'more required than allowed',
      { type: 'object', required: ['a', 'b'], maxProperties: 1 },
      false,
      'equal',
    ],
    [
      'dependentRequired',
      object({}, { dependentRequired: { a: ['b'] } }),
      { type: 'object', anyOf: [{ not: { required: ['a'] } }, { required: ['b'] }] },
      'equal',
    ],
    [
      'dependentSchemas',
      object({}, { dependentSchemas: { a: { maxProperties: 1 } }, required: ['a'] }),
      { type: 'object', maxProperties: 1, required: ['a'] },
      'equal',
    ],
    [
      'unevaluatedProperties through allOf',
      { type: 'object', allOf: [object({ a: {} })], unevaluatedProperties: false },
      object({ a: {} }, { additionalProperties: false }),
      'equal',
    ],
    [
      'unevaluatedProperties through anyOf',
      {
        type: 'object',
        anyOf: [{ properties: { a: {} }, required: ['a'] }, true],
        unevaluatedProperties: false,
      },
      object({ a: {} }, { additionalProperties: false }),
      'equal',
    ],
  ],
  logic: [
    ['not by disjointness', text, { not: { type: 'number' } }, 'narrower'],
    ['double negation', { not: { not: text } }, text, 'equal'],
    ['oneOf of disjoint members', { oneOf: [text, whole] }, { anyOf: [text, whole] }, 'equal'],
    [
      'oneOf of overlapping members',
      { oneOf: [{ type: 'number' }, whole] },
      { type: 'number', not: whole },
      'equal',
    ],
    [
      'a union split by its discriminator',
      {
        oneOf: [
          object({ k: { const: 'a' }, v: text }, { required: ['k'] }),
          object({ k: { const: 'b' }, v: whole }, { required: ['k'] }),
        ],
      },
      object({ k: { enum: ['a', 'b'] } }, { required: ['k'] }),
      'narrower',
    ],
    [
      'if, then, else',
      { if: text, then: { minLength: 1 }, else: { type: 'null' } },
      { anyOf: [{ ...text, minLength: 1 }, { type: 'null' }] },
      'equal',
    ],
    ['then without if', { then: false }, {}, 'equal'],
    [
      'properties distribute over a union',
      object({ a: { type: ['string', 'integer'] } }, { required: ['a'] }),
      { anyOf: [object({ a: text }, { required: ['a'] }), object({ a: whole }, { required: ['a'] })] },
      'equal',
    ],
  ],
  references: [
    ['definitions', { $ref: '#/$defs/a', $defs: { a: text } }, text, 'equal'],
    [
      'siblings of $ref count',
      { $ref: '#/$defs/a', minLength: 2, $defs: { a: text } },
      { ...text, minLength: 2 },
      'equal',
    ],
    ['anchors', { $ref: '#x', $defs: { a: { $anchor: 'x', type: 'string' } } }, text, 'equal'],
    ['escaped pointers', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': text } }, text, 'equal'],
    [
      'a list and the same list unrolled',
      { type: 'object', properties: { next: { $ref: '#' } } },
      { type: 'object', properties: { next: { type: 'object', properties: { next: { $ref: '#' } } } } },
      'equal',
    ],
    [
      'a tree that has no end',
      { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] },
      false,
      'equal',
    ],
    [
      'mutual recursion',
      {
        $ref: '#/$defs/a',
        $defs: {
          a: { type: 'array', items: { $ref: '#/$defs/b' } },
          b: { type: ['array', 'null'], items: { $ref: '#/$defs/a' } },
        },
      },
      { type: 'array' },
      'narrower',
    ],
    [
      'leaves of a tree',
      {
        $ref: '#/$defs/t',
        $defs: { t: { anyOf: [whole, { type: 'array', items: { $ref: '#/$defs/t' } }] } },
      },
      {
        $ref: '#/$defs/t',
        $defs: { t: { anyOf: [{ type: 'number' }, { type: 'array', items: { $ref: '#/$defs/t' } }] } },
      },
      'narrower',
    ],
  ],
}

for (const [group, list] of Object.entries(rules))
  describe(`isSubschema rules: ${group}`, () => {
    for (const [name, a, b, relation] of list)
      test(`gives “${relation}” for “${name}”`, () => {
        expectRelation(a, b, relation)
      })
  })
