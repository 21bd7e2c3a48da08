import { isSubschema, loadCompat } from '../core/compat/is-subschema.ts'

await loadCompat()
const r = (n: number, f: (i: number) => any) => Array.from({ length: n }, (_, i) => f(i))
const obj = (i: number, extra: any = {}) => ({
  type: 'object',
  properties: {
    kind: { const: 'k' + i },
    a: { type: 'string' },
    b: { type: 'integer' },
    c: { type: 'array', items: { type: 'string' } },
    ...extra,
  },
  required: ['kind', 'a'],
})
const email =
  "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"
const zodEmail =
  "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$"
const uuid =
  '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|00000000-0000-0000-0000-000000000000)$'
const date =
  '^(?:(?:\\d\\d[2468][048]|\\d\\d[13579][26]|\\d\\d0[48]|[02468][048]00|[13579][26]00)-02-29|\\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|(?:02)-(?:0[1-9]|1\\d|2[0-8])))T(?:(?:[01]\\d|2[0-3]):[0-5]\\d(?::[0-5]\\d(?:\\.\\d+)?)?(?:Z))$'
const semver =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$'
const S = (p: string, x: any = {}) => ({ type: 'string', pattern: p, ...x })
let deep: any = { type: 'string' }
for (let i = 0; i < 5000; i++) deep = { type: 'object', properties: { x: deep } }
let deep2: any = { type: 'string' }
for (let i = 0; i < 100; i++) deep2 = { type: 'object', properties: { x: deep2 }, required: ['x'] }
let deep3: any = { type: 'string', minLength: 1 }
for (let i = 0; i < 100; i++) deep3 = { type: 'object', properties: { x: deep3 }, required: ['x'] }
const cyc: any = { type: 'object', properties: {} }
cyc.properties.x = cyc
const json = {
  $defs: {
    v: {
      anyOf: [
        { type: 'null' },
        { type: 'boolean' },
        { type: 'number' },
        { type: 'string' },
        { type: 'array', items: { $ref: '#/$defs/v' } },
        { type: 'object', additionalProperties: { $ref: '#/$defs/v' } },
      ],
    },
  },
  $ref: '#/$defs/v',
}
const cases: [string, any, any][] = [
  ['oneOf 40 same reversed', { oneOf: r(40, i => obj(i)) }, { oneOf: r(40, i => obj(39 - i)) }],
  ['oneOf 40 vs anyOf', { oneOf: r(40, i => obj(i)) }, { anyOf: r(40, i => obj(i)) }],
  ['anyOf 40 vs oneOf', { anyOf: r(40, i => obj(i)) }, { oneOf: r(40, i => obj(39 - i)) }],
  [
    'oneOf 40 one changed',
    { oneOf: r(40, i => obj(i)) },
    { oneOf: r(40, i => obj(i, i === 20 ? { b: { type: 'number' }, a: { minLength: 2 } } : {})) },
  ],
  [
    'oneOf 12 no discriminator',
    {
      oneOf: r(12, i => ({
        type: 'object',
        properties: { ['p' + i]: { type: 'string' } },
        required: ['p' + i],
      })),
    },
    { anyOf: r(12, i => ({ type: 'object', required: ['p' + i] })) },
  ],
  [
    'anyOf 20 required right',
    { anyOf: r(20, i => ({ required: ['p' + i] })) },
    { type: 'object', anyOf: r(20, i => ({ required: ['p' + (19 - i)] })) },
  ],
  [
    '300 props',
    { type: 'object', properties: Object.fromEntries(r(300, i => ['p' + i, { type: 'string' }])) },
    { type: 'object', properties: Object.fromEntries(r(300, i => ['p' + i, { type: ['string', 'null'] }])) },
  ],
  [
    '300 required',
    {
      type: 'object',
      properties: Object.fromEntries(r(300, i => ['p' + i, { type: 'string' }])),
      required: r(300, i => 'p' + i),
    },
    {
      type: 'object',
      properties: Object.fromEntries(r(300, i => ['p' + i, { type: ['string', 'null'] }])),
      required: r(300, i => 'p' + i),
    },
  ],
  [
    'patternProperties 10',
    { patternProperties: Object.fromEntries(r(10, i => ['^' + 'abcdefghij'[i], { minimum: i }])) },
    { patternProperties: Object.fromEntries(r(10, i => ['abcdefghij'[i] + '$', { minimum: i }])) },
  ],
  [
    'patternProperties 8 overlapping',
    { patternProperties: Object.fromEntries(r(8, i => ['abcdefghij'[i], { minimum: i }])) },
    { patternProperties: Object.fromEntries(r(8, i => ['abcdefghij'[i], { minimum: i - 1 }])) },
  ],
  [
    'unique enum',
    { type: 'array', uniqueItems: true, items: { enum: r(30, i => i) }, minItems: 25 },
    { type: 'array', contains: { const: 7 } },
  ],
  [
    'unique enum pigeon',
    { type: 'array', uniqueItems: true, items: { enum: r(30, i => i) } },
    { type: 'array', maxItems: 30 },
  ],
  [
    'unique strings 200',
    { type: 'array', uniqueItems: true, items: { type: 'string' }, minItems: 200 },
    { type: 'array', maxItems: 100 },
  ],
  ['contains many', { allOf: r(8, i => ({ contains: { const: i } })) }, { minItems: 8 }],
  ['contains many2', { type: 'array', allOf: r(8, i => ({ contains: { minimum: i } })) }, { minItems: 2 }],
  ['minItems 1000', { type: 'array', minItems: 1000 }, { type: 'array', minItems: 1001 }],
  ['maxLength 400 pattern', S('^(a|b|c){0,200}$'), S('^[a-c]*$', { maxLength: 200 })],
  ['maxLength 199', S('^(a|b|c){0,200}$'), { maxLength: 199 }],
  ['big reps', S('^[0-9]{1,500}$'), S('^[0-9]{1,501}$')],
  ['email/zod', S(zodEmail), S(email)],
  ['zod/email', S(email), S(zodEmail)],
  ['uuid', S(uuid), S('^[0-9a-fA-F-]{36}$')],
  ['uuid len', S(uuid), { minLength: 36, maxLength: 36 }],
  ['date', S(date), S('^\\d{4}-\\d{2}-\\d{2}T.*Z$')],
  ['date2', S(date), S(date.replace('(?:Z)', '(?:Z|([+-]\\d\\d:\\d\\d))'))],
  ['semver', S(semver), S('^\\d+\\.\\d+\\.\\d+')],
  ['evil', S('^(a+)+$'), S('^(a|aa)+$')],
  ['evil2', S('(x+x+)+y'), S('x+y')],
  ['blow', S('(a|b)*a(a|b){14}$'), S('(a|b)*a(a|b){13}$')],
  ['deep 5000', deep, { type: 'object' }],
  ['deep 100', deep2, deep3],
  ['deep 100 rev', deep3, deep2],
  ['js cycle', cyc, { type: 'object' }],
  ['enum 1e5', { enum: r(100000, i => i) }, { enum: r(100000, i => 99999 - i) }],
  ['enum 1e4 str', { enum: r(10000, i => 's' + i) }, { type: 'string', maxLength: 5 }],
  ['enum vs pattern', { enum: r(3000, i => 's' + i) }, S('^s\\d+$')],
  ['minLength 1e9', { type: 'string', minLength: 1e9 }, { type: 'string', minLength: 10 }],
  ['multiple tiny', { type: 'number', multipleOf: 1e-10, minimum: 0, maximum: 1 }, { multipleOf: 1e-9 }],
  ['num big', { type: 'number', minimum: 1e308 }, { type: 'number', exclusiveMinimum: 1e307 }],
  [
    'int range not enum',
    { type: 'integer', minimum: 0, maximum: 100000, not: { multipleOf: 2 } },
    { not: { multipleOf: 3 } },
  ],
  [
    'int range exhausted',
    { type: 'integer', minimum: 0, maximum: 5000 },
    { anyOf: [{ multipleOf: 2 }, { not: { multipleOf: 2 } }] },
  ],
  [
    'int crt',
    {
      type: 'integer',
      minimum: 1,
      maximum: 2000000,
      allOf: [{ not: { multipleOf: 2 } }, { not: { multipleOf: 3 } }],
    },
    { not: { multipleOf: 2000003 } },
  ],
  ['json in json', json, true],
  [
    'json vs json+',
    json,
    { ...json, description: 'x', $defs: { v: { anyOf: [...json.$defs.v.anyOf, { const: 1 }] } } },
  ],
  ['meta', { $ref: 'https://json-schema.org/draft/2020-12/schema' }, { type: ['object', 'boolean'] }],
  [
    'meta2',
    { type: 'object', properties: { type: { const: 'string' } }, additionalProperties: false },
    { $ref: 'https://json-schema.org/draft/2020-12/schema' },
  ],
  [
    'meta3',
    { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    { $ref: 'https://json-schema.org/draft/2020-12/schema', type: ['object', 'boolean'] },
  ],
  [
    'unevaluated wide',
    {
      allOf: r(10, i => ({
        anyOf: [
          { properties: { ['a' + i]: true }, required: ['a' + i] },
          { properties: { ['b' + i]: true } },
        ],
      })),
      unevaluatedProperties: false,
    },
    { type: 'object' },
  ],
  ['minProperties 500', { type: 'object', minProperties: 500 }, { type: 'object', minProperties: 501 }],
  [
    'propertyNames',
    { propertyNames: { pattern: '^[a-z]+$', maxLength: 3 }, minProperties: 20 },
    { maxProperties: 19 },
  ],
  [
    'propnames finite',
    { propertyNames: { enum: ['a', 'b', 'c'] }, additionalProperties: { type: 'integer' } },
    { type: ['object', 'string'], maxProperties: 3 },
  ],
]
for (const [n, a, b] of cases) {
  const t = performance.now()
  const v: any = isSubschema(a, b)
  const ms = performance.now() - t
  console.log(
    n.padEnd(34),
    ms.toFixed(0).padStart(5),
    v.verdict,
    v.verdict === 'refuted'
      ? JSON.stringify(v.witness).slice(0, 100)
      : v.verdict === 'proved'
        ? ''
        : v.reason,
  )
}
