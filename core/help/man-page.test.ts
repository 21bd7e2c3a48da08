import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainLine } from '../text/plain-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { helpJson, toolHelp } from './formats.ts'
import { entryOf } from './help.testkit.ts'
import { manPage } from './man-page.ts'
import { manText } from './man-text.ts'

const order = entryOf({
  name: 'shop order',
  title: 'Order',
  description:
    'Order things.\n\nThey come by mail, and the mail takes its time: a week where you live, two elsewhere.',
  inputSchema: {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        minItems: 1,
        maxItems: 5,
        items: {
          type: 'object',
          properties: {
            sku: { type: 'string', pattern: '^[A-Z]{3}$', examples: ['ABC'], description: 'What to send' },
            count: { type: 'integer', minimum: 1, maximum: 99, default: 1 },
          },
          required: ['sku', 'count'],
        },
      },
      speed: { type: 'string', enum: ['slow', 'fast'], default: 'slow', description: 'How soon' },
      note: { type: ['string', 'null'], maxLength: 80 },
    },
    required: ['items', 'speed'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: { number: { type: 'integer' } },
    required: ['number'],
  },
  annotations: { destructiveHint: true, idempotentHint: false },
  extra: { tags: ['mail'] },
})

describe('a man page', () => {
  it('calls with the source, where an argument names it', () => {
    const argument = "KEY=••• npx 'my server'"
    expect(manPage({ ...order, argument }).usage[1]).toBe(
      `toolscope call 'shop order' 'KEY=••• npx '\\''my server'\\''' --input '{"items":[{"sku":"ABC"}]}'`,
    )
    // Its letters would not all be copied.
    expect(manPage({ ...order, argument: 'a\u200bb' }).usage[1]).toContain('SOURCE')
  })

  it('has this form in a terminal', () => {
    expect(manText(order)).toBe(`NAME
    shop_order - Order things.
    Order

USAGE
    shop_order --items <json|key=value...> [--speed <string>] [--note <string>]
    toolscope call 'shop order' SOURCE --input '{"items":[{"sku":"ABC"}]}'

DESCRIPTION
    Order things.

    They come by mail, and the mail takes its time: a week where you live, two
    elsewhere.

PARAMETERS
    --items <json|key=value...>
        array of object · 1–5 items · required
        items[].sku
            string · pattern ^[A-Z]{3}$ · required
            What to send
            Example: "ABC"
        items[].count
            integer · 1–99
            Default: 1

    --speed <string>
        enum
        How soon
        One of: "slow", "fast"
        Default: "slow"

    --note <string>
        string or null · at most 80 characters

OUTPUT
    object
    number
        integer · required

EXIT CODES
    0  the tool answered, and its output fits the output schema where there is
       one
    1  something unexpected
    2  usage or configuration: no such tool, or the input is not valid JSON
    3  the source cannot be reached
    4  the tool failed, or its output breaks its schema

SOURCE
    acme
    Its name there: shop order
    Reference: acme/shop order

HINTS
    Declared by the source (unverified):
        destructive: what it changes may be lost
        not idempotent: each call counts

TAGS
    mail, destructive, typed-output
`)
  })

  it('says what is missing', () => {
    const text = manText(entryOf({ name: 'bare', inputSchema: true }))
    expect(text).toContain('NAME\n    bare\n')
    expect(text).toContain('PARAMETERS\n    None that the input schema names.\n')
    expect(text).toContain('OUTPUT\n    No output schema: anything may come back.\n')
    expect(text).not.toMatch(/DESCRIPTION|HINTS|undefined/)
  })

  it('lists variants, maps, tuples and recursion once', () => {
    const inputSchema = {
      type: 'object',
      properties: {
        where: {
          oneOf: [
            { title: 'file', type: 'object', properties: { path: { type: 'string' } } },
            { title: 'web', type: 'object', properties: { url: { type: 'string', format: 'uri' } } },
          ],
        },
        labels: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
        pair: { type: 'array', prefixItems: [{ enum: ['a', 'b'] }, { type: 'integer' }], items: false },
        tree: { $ref: '#/$defs/node' },
      },
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
        },
      },
    }
    const rows = manPage(entryOf({ name: 't', inputSchema })).input.rows
    expect(rows.map(({ path, role, label, type }) => [path, label ?? role, type])).toEqual([
      ['where', 'field', 'one of 2'],
      ['where', 'file', 'object'],
      ['where.path', 'field', 'string'],
      ['where', 'web', 'object'],
      ['where.url', 'field', 'string'],
      ['labels', 'field', 'map of integer'],
      ['labels.<key>', 'other keys', 'integer'],
      ['pair', 'field', 'array'],
      ['pair[0]', 'item', 'enum'],
      ['pair[1]', 'item', 'integer'],
      ['tree', 'field', 'object'],
      ['tree.name', 'field', 'string'],
      ['tree.children', 'field', 'array of object'],
      ['tree.children[]', 'item', 'object'],
    ])
    const inputPaths = Object.fromEntries(rows.map(row => [row.path, row.inputPath]))
    expect(inputPaths).toMatchObject({
      'where.url': ['where', 'url'],
      'pair[1]': ['pair', 1],
      'tree.children[]': ['tree', 'children', null],
    })
    expect(inputPaths['labels.<key>']).toBeUndefined()
    expect(rows.at(-1)?.notices).toEqual(['The same again: its parts stand above.'])
  })

  it('samples a pattern that would take a backtracking engine for ever', () => {
    const inputSchema = {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^(a+)+$', minLength: 40 } },
      required: ['a'],
    }
    const page = manPage(entryOf({ name: 't', inputSchema }))
    expect(JSON.parse(page.sample ?? '')).toEqual({ a: expect.stringMatching(/^a{40,}$/) })
  })

  it('makes no sample for a schema that requires itself', () => {
    const again = { $ref: '#' }
    const inputSchema = {
      type: 'object',
      required: ['a', 'b', 'c'],
      properties: { a: again, b: again, c: again },
    }
    expect(manPage(entryOf({ name: 't', inputSchema })).sample).toBeUndefined()
  })

  it('lists every field of a wide schema, and stops for deep and broad ones', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `field_${index}`)
    const wide = { type: 'object', properties: Object.fromEntries(names.map(name => [name, { $ref: '#' }])) }
    const text = manText(entryOf({ name: 't', inputSchema: wide }))
    for (const name of names) expect(text).toContain(`--${name} <`)
    expect(text.match(/The same again/g)).toHaveLength(names.length)
    const columns = Object.fromEntries(names.map(name => [name, { type: 'string' }]))
    const inner = { type: 'object', properties: { row: { type: 'object', properties: columns } } }
    expect(manText(entryOf({ name: 't', inputSchema: inner }))).toContain(
      'There is more inside than is shown here',
    )
    let deep: JsonSchema = { type: 'string' }
    for (let level = 0; level < 20_000; level++) deep = { type: 'object', properties: { a: deep } }
    expect(manText(entryOf({ name: 't', inputSchema: deep }))).toContain('--a <')
  })
})

/** Keywords with fitting and unfitting values, references and cycles among them. */
const { schema } = fc.letrec<{ schema: JsonSchema; any: unknown }>(tie => ({
  any: fc.oneof({ maxDepth: 3, depthSize: 'small' }, fc.jsonValue({ maxDepth: 2 }), tie('schema')),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.boolean(),
    fc.record(
      {
        type: fc.constantFrom('object', 'array', 'string', 'integer', 'nonsense', ['string', 'null'], 7),
        properties: fc.oneof(
          fc.dictionary(fc.oneof(fc.string({ unit: 'binary' }), fc.constant('__proto__')), tie('schema'), {
            maxKeys: 4,
          }),
          tie('any'),
        ),
        required: fc.oneof(fc.array(fc.string()), tie('any')),
        items: tie('any'),
        prefixItems: fc.array(tie('schema'), { maxLength: 2 }),
        additionalProperties: tie('any'),
        patternProperties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 2 }),
        anyOf: fc.oneof(fc.array(tie('schema'), { maxLength: 3 }), tie('any')),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 2 }),
        if: tie('schema'),
        // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
        then: tie('schema'),
        dependentSchemas: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 2 }),
        $ref: fc.constantFrom('#', '#/properties/a', '#/$defs/x', 'https://elsewhere.example/', '#/%'),
        $defs: fc.record({ x: tie('schema') }),
        enum: fc.oneof(fc.array(fc.jsonValue({ maxDepth: 1 })), tie('any')),
        const: fc.jsonValue({ maxDepth: 1 }),
        default: fc.jsonValue({ maxDepth: 1 }),
        examples: tie('any'),
        description: fc.oneof(fc.string({ unit: 'binary' }), tie('any')),
        pattern: fc.constantFrom('^a', '(', '^(a+)+$', 3),
        format: fc.constantFrom('date', 'nonsense', 3),
        minimum: fc.oneof(fc.double(), fc.string()),
        minLength: fc.constantFrom(0, 3, -1, 1e9, 'x'),
        maxItems: fc.constantFrom(0, 2, 'x'),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<JsonSchema>,
  ),
}))

describe('help of any schema', () => {
  it('never throws, names every declared property, and is safe for a terminal', () => {
    fc.assert(
      fc.property(schema, fc.option(schema, { nil: undefined }), (inputSchema, outputSchema) => {
        const entry = entryOf({ name: 't', inputSchema, ...(outputSchema !== undefined && { outputSchema }) })
        const page = manPage(entry)
        const text = manText(entry)
        const help = toolHelp(entry)
        helpJson(entry)
        expect(`${text}${help}`.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
        const declared = typeof inputSchema === 'object' ? inputSchema.properties : undefined
        if (typeof declared !== 'object' || declared === null || Array.isArray(declared)) return
        const named = new Set(page.input.rows.map(row => row.name))
        for (const name of Object.keys(declared)) {
          expect(named).toContain(name)
          expect(help).toContain(`--${plainLine(name)} <`)
        }
      }),
      { numRuns: 100 },
    )
  })
})
