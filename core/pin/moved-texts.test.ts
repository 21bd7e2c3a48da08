import { describe, expect, test } from 'vitest'
import { comparePin } from './compare-pin.ts'
import { defaultPinPolicy, type PinClass } from './pin.ts'

type Schema = Record<string, unknown>

const string = { type: 'string' }
const names = { type: 'string', enum: ['readme', 'license'] }
const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const reads = 'Reads the file and changes nothing.'
const deletes = 'Deletes each file of the user.'
const base = { mode: { enum: ['r', 'd'] }, path: string }
const object = (more: object, properties: object = base): Schema => ({ type: 'object', properties, ...more })

async function classify(before: Schema, after: Schema): Promise<readonly PinClass[]> {
  const item = (inputSchema: Schema) => ({ kind: 'tool' as const, name: 'open', definition: { inputSchema } })
  const approvedAt = '2026-11-28T08:00:00.000Z'
  const { differences } = await comparePin([{ ...item(before), approvedAt }], [item(after)])
  return differences[0]?.classes ?? ['same']
}

const when = (condition: object, then: object) =>
  Object.fromEntries([
    ['if', condition],
    ['then', then],
  ])

type MakePart = (first: string, second: string) => object

const inMode = (mode: string) => ({ properties: { mode: { const: mode } } })
const operation = (mode: string, text: string) => ({
  properties: { mode: { const: mode, description: `Mode ${mode}` }, path: { ...string, description: text } },
})

const arrangements: readonly (readonly [string, MakePart])[] = [
  [
    'two conditions',
    (a, b) => ({
      allOf: [
        when(inMode('r'), { description: a, required: ['path'] }),
        when(inMode('d'), { description: b, required: ['path'] }),
      ],
    }),
  ],
  [
    'what two parts forbid',
    (a, b) => ({
      allOf: [{ not: { required: ['x'], description: a } }, { not: { required: ['y'], description: b } }],
    }),
  ],
  [
    'two alternatives in a condition',
    (a, b) => when({ required: ['path'] }, { anyOf: [operation('r', a), operation('d', b)] }),
  ],
  [
    'two positions of a list in a condition',
    (a, b) => ({
      patternProperties: {
        '^x': {
          prefixItems: [
            { ...string, description: a },
            { ...string, description: b },
          ],
        },
      },
    }),
  ],
  [
    'two items that a list must contain',
    (a, b) => ({
      properties: {
        list: {
          type: 'array',
          allOf: [{ contains: { const: 'r', description: a } }, { contains: { const: 'd', description: b } }],
        },
      },
    }),
  ],
  [
    'two definitions, next to a text of their use',
    (a, b) => ({
      $defs: { R: { ...inMode('r'), description: a }, D: { ...inMode('d'), description: b } },
      anyOf: [
        { $ref: '#/$defs/R', description: 'One.' },
        { $ref: '#/$defs/D', description: 'Two.' },
      ],
    }),
  ],
]

describe('comparePin', () => {
  test.each(arrangements)('comparePin: texts that changed places between %s', async (_parts, make) => {
    const classes = await classify(object(make(reads, deletes)), object(make(deletes, reads)))
    expect(classes).toEqual(['changed-text'])
  })

  test('comparePin: texts that changed places in parts that are also written differently', async () => {
    const list = (first: string, second: string, more: object = {}) =>
      object(
        {},
        { list: { prefixItems: [first, second].map(text => ({ ...string, description: text })), ...more } },
      )
    expect(await classify(list(reads, deletes), list(deletes, reads, { items: {} }))).toEqual([
      'changed-text',
    ])
    const choice = (first: string, second: string) => ({
      anyOf: [operation('r', first), operation('d', second)],
    })
    expect(
      await classify(object(choice(reads, deletes)), object({ allOf: [choice(deletes, reads), {}] })),
    ).toEqual(['changed-text'])
  })

  test('comparePin: a text that was removed next to a reference with another text', async () => {
    const output = (more: object): Schema => ({
      type: 'object',
      properties: { q: { anyOf: [{ type: 'integer' }, { $ref: '#/$defs/Q', ...more }] } },
      $defs: { Q: { ...string, description: reads } },
    })
    const tool = (outputSchema: Schema) => ({
      kind: 'tool' as const,
      name: 'open',
      definition: { inputSchema: { type: 'object' }, outputSchema },
    })
    const pinned = { ...tool(output({ description: deletes })), approvedAt: '2026-11-28T08:00:00.000Z' }
    const { differences } = await comparePin([pinned], [tool(output({}))])
    expect(differences[0]?.classes).toContain('changed-text')
  })

  test.each([
    ['of a later draft', { $schema: 'http://json-schema.org/draft-04/schema#' }, { const: 'safe' }],
    ['of another type', {}, { properties: { a: { enum: ['safe'] } } }],
    ['without its condition', {}, Object.fromEntries([['then', { enum: ['safe'] }]])],
  ])('comparePin: a limit %s, which validators ignore, asks without it', async (_limit, more, limit) => {
    const schema = (part: object) => object(more, { path: { ...string, ...part } })
    const classes = await classify(schema(limit), schema({}))
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
    expect(await classify(schema(limit), schema(limit))).toEqual(['same'])
  })

  test('comparePin: conditions in another order are the same', async () => {
    const conditions = [
      when(inMode('r'), { description: reads }),
      when(inMode('d'), { description: deletes }),
    ]
    expect(await classify(object({ allOf: conditions }), object({ allOf: conditions.toReversed() }))).toEqual(
      ['same'],
    )
  })

  test('comparePin: a rewritten part is shown, whatever the order of its members', async () => {
    const item = (part: object) => ({
      kind: 'tool' as const,
      name: 'open',
      definition: { inputSchema: object({ not: part }) },
    })
    const pinned = { ...item({ required: ['a'], maxProperties: 3 }), approvedAt: '2026-11-28T08:00:00.000Z' }
    const { differences } = await comparePin([pinned], [item({ maxProperties: 3, required: ['b'] })])
    const change = differences[0]?.changes.find(({ rule }) => rule === 'part-rewritten')
    const changed = change?.words?.flatMap(({ kind, text }) => (kind === 'same' ? [] : [text.trim()]))
    expect(changed).toEqual(['"a"', '"b"'])
  })

  const withDefinition = (part: object, definition: object, name = 'P') =>
    object({ $defs: { [name]: definition, Q: names } }, { path: part })
  test.each([
    ['an unknown keyword', { ...string, extends: { $ref: '#/$defs/P' } }],
    ['a keyword that is not valid', { ...string, allOf: { $ref: '#/$defs/P' } }],
    ['a text', { ...string, description: 'One of P.' }],
    ['no reference', string],
  ])('comparePin: a limit of a definition that only %s leads to asks without it', async (_what, part) => {
    const classes = await classify(withDefinition(part, names), withDefinition(part, string))
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  test('comparePin: unused definitions in another order are the same', async () => {
    const before = { ...object({}, { path: string }), $defs: { B: { minimum: 1 }, A: string } }
    const after = { ...object({}, { path: string }), $defs: { A: string, B: { minimum: 1 } }, required: [] }
    expect(await classify(before, after)).toEqual(['same'])
  })

  test('comparePin: two definitions that exchange their names ask', async () => {
    const modes = (first: string, second: string) => ({
      anyOf: [{ $ref: `#/$defs/${first}` }, { $ref: `#/$defs/${second}` }],
      discriminator: { propertyName: 'mode', mapping: { read: '#/$defs/A' } },
      $defs: { [first]: object({}, { mode: string }), [second]: object({}, { file: names }) },
    })
    const classes = await classify(modes('A', 'B'), modes('B', 'A'))
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  test('comparePin: a default of null in an alternative asks', async () => {
    const part = (more: object) => object({}, { mode: { anyOf: [{ const: 'a' }, { const: 'b', ...more }] } })
    expect(await classify({ ...draft7, ...part({}) }, { ...draft7, ...part({ default: null }) })).toContain(
      'changed-text',
    )
  })

  test.each([
    ['of a text', { pattern: '^/tmp/' }, 'object'],
    ['of an object', { properties: { name: names } }, 'string'],
  ])('comparePin: a limit %s is gone if its part has another type now', async (_what, part, type) => {
    const schema = (more: object) => object({}, { path: { ...part, ...more } })
    const classes = await classify(schema({}), schema({ type }))
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  const sentence = 'Put the whole file in the first field'
  const withOutput = (input: object, output: object) => ({
    inputSchema: object({}, input),
    outputSchema: object({}, output),
  })
  test.each([
    [
      'a value of another property',
      withOutput({ a: { enum: [sentence, 'x'] }, b: { enum: ['y', 'z'] } }, {}),
      withOutput({ a: { enum: ['x'] }, b: { enum: ['y', sentence] } }, {}),
    ],
    [
      'a pattern of another property',
      withOutput({ a: { pattern: sentence }, b: string }, {}),
      withOutput({ a: { pattern: sentence }, b: { ...string, pattern: sentence } }, {}),
    ],
    [
      'a name in the output',
      withOutput({ [sentence]: string }, {}),
      withOutput({ [sentence]: string }, { [sentence]: string }),
    ],
    [
      'the name of a definition in the output',
      { outputSchema: object({}, { [sentence]: string }) },
      { outputSchema: object({ $defs: { [sentence]: {} } }, { [sentence]: string }) },
    ],
    [
      'a value of other properties',
      { outputSchema: object({ additionalProperties: false }, { a: { enum: [sentence] } }) },
      { outputSchema: object({ additionalProperties: { enum: [sentence] } }, { a: { enum: [sentence] } }) },
    ],
  ])('comparePin: an approved sentence as %s is changed text', async (_use, before, after) => {
    const item = (definition: object) => ({
      kind: 'tool' as const,
      name: 'open',
      definition: { ...definition },
    })
    const pinned = { ...item(before), approvedAt: '2026-11-28T08:00:00.000Z' }
    const { differences } = await comparePin([pinned], [item(after)])
    expect(differences[0]?.classes).toContain('changed-text')
  })

  const asks = (classes: readonly PinClass[]) => classes.some(each => defaultPinPolicy[each] === 'ask')
  const folder = { ...string, pattern: '^/tmp/' }
  const draft4 = { $schema: 'http://json-schema.org/draft-04/schema#' }

  test.each([
    ['in italics', 'Also give _path_ of it.', 'path'],
    ['as two words', 'Also give the user ID.', 'userId'],
    ['in the plural', 'Also give the paths.', 'path'],
    ['with the name of its tool', 'Opens it.', 'open'],
    ['in another spelling', 'Also give the userid.', 'userId'],
    ['after a backslash', 'Also give \\name.', 'name'],
    ['in a language without blanks', '也请在path中给出文件。', 'path'],
    ['in a language without blanks, which its name has', '也请给出路径的值', '路径'],
    ['with a quote', 'Also give a"b.', 'a"b'],
  ])('comparePin: a property that a text names %s is not plain', async (_how, description, name) => {
    const schema = (more: object) => object({}, { q: { ...string, description }, ...more })
    expect(await classify(schema({ [name]: folder }), schema({}))).toContain('wider-input')
  })

  const one = { minProperties: 1, additionalProperties: false }
  const some = object({ minProperties: 1 }, { id: string, token: string })
  test.each([
    ['has no property any longer', { type: 'object', properties: { id: string } }, { type: 'object' }],
    ['loses its properties for a text', { properties: { id: string } }, string],
    ['loses its numbers for a text', { minimum: 0, maximum: 10 }, string],
    ['without a type loses its limit', { maximum: 10 }, {}],
    ['takes a text in place of any object', { additionalProperties: true }, string],
    ['takes a text in place of any list', { items: {} }, string],
    ['has values of another type', { ...string, enum: ['a'] }, { ...string, enum: [1] }],
    ['has null as its only value', { ...string, enum: ['a'] }, { ...string, enum: [null] }],
    ['gets a type that no value has', { enum: ['a'] }, { type: 'integer', enum: ['a'] }],
    [
      'must have one property, and has one left',
      { ...some, ...one },
      { ...object({}, { id: string }), ...one },
    ],
    ['must have one property, and is closed', some, { ...some, additionalProperties: false }],
    ['had only one of its properties', { ...some, maxProperties: 1 }, { ...some, maxProperties: 2 }],
  ])('comparePin: a part that %s is not plain', async (_what, before, after) => {
    const schema = (data: object) => object({}, { data: { description: 'The data.', ...data } })
    const classes = await classify(schema(before), schema(after))
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  test.each([
    ['draft 4 for a constant', draft4, { path: { const: 'a' } }],
    ['draft 7 for a list', draft7, { list: { prefixItems: [folder] } }],
  ])('comparePin: %s, which ignores it, asks', async (_draft, more, properties) => {
    expect(asks(await classify(object({}, properties), object(more, properties)))).toBe(true)
  })

  test('comparePin: a limit of a list in the words of two drafts asks without it', async () => {
    const list = (...prefixItems: object[]) =>
      object(draft7, { list: { type: 'array', prefixItems, items: [string] } })
    expect(asks(await classify(list(folder), list(string)))).toBe(true)
  })

  test('comparePin: other properties of an output that refer to a text ask', async () => {
    const output = (additionalProperties: unknown) => ({
      ...object({ additionalProperties }, { id: { $ref: '#/$defs/Id' } }),
      $defs: { Id: { ...string, description: reads } },
    })
    const tool = (outputSchema: Schema) => ({
      kind: 'tool' as const,
      name: 'open',
      definition: { outputSchema },
    })
    const pinned = { ...tool(output(false)), approvedAt: '2026-11-28T08:00:00.000Z' }
    const { differences } = await comparePin([pinned], [tool(output({ $ref: '#/$defs/Id' }))])
    expect(asks(differences[0]?.classes ?? [])).toBe(true)
  })

  test.each([
    ['that its draft does not know', { items: [folder] }, { prefixItems: [folder] }],
    ['without the list before', { items: [], additionalItems: folder }, { additionalItems: folder }],
  ])('comparePin: a limit of a list in words %s asks', async (_words, before, after) => {
    const schema = (list: object) => object(draft7, { list: { type: 'array', ...list } })
    expect(asks(await classify(schema(before), schema(after)))).toBe(true)
  })

  test('comparePin: examples next to values may have a text for each', async () => {
    const mode = (...values: string[]) =>
      object({}, { mode: { enum: values, examples: ['Reads', 'Deletes'] } })
    expect(asks(await classify(mode('r', 'd'), mode('d', 'r')))).toBe(true)
  })

  test('comparePin: texts after 20,000 parts count', async () => {
    const mode = (...values: string[]) => ({
      $defs: Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`a${at}`, {}])),
      ...object({}, { mode: { enum: values, 'x-labels': ['Reads', 'Deletes'] } }),
    })
    expect(asks(await classify(mode('r', 'd'), mode('d', 'r')))).toBe(true)
  })

  const trusted = { $ref: '#/$defs/Trusted' }
  const values = (first: string, second: string) => ({
    allOf: [{}],
    properties: { user: { enum: [first] }, page: { enum: [second] } },
  })
  const exchange = (first: string, second: string) => ({
    properties: { user: { $ref: `#/$defs/${first}` }, page: { $ref: `#/$defs/${second}` } },
    additionalProperties: { $dynamicRef: '#/$defs/Other' },
  })
  test.each([
    ['a new property', {}, { properties: { page: trusted, user: trusted } }],
    ['other properties', {}, { additionalProperties: trusted }],
    ['another one, as a value', values(reads, deletes), values(deletes, reads)],
    ['another one', exchange('Trusted', 'Other'), exchange('Other', 'Trusted')],
  ])('comparePin: a text of another part of an output asks, for %s', async (_part, old, now) => {
    const tool = (more: object) => ({
      kind: 'tool' as const,
      name: 'open',
      definition: {
        inputSchema: { type: 'object' },
        outputSchema: {
          ...object(
            { $defs: { Trusted: { description: reads }, Other: { description: deletes } } },
            { user: trusted },
          ),
          ...more,
        },
      },
    })
    const pinned = { ...tool(old), approvedAt: '2026-11-28T08:00:00.000Z' }
    const { differences } = await comparePin([pinned], [tool(now)])
    expect(asks(differences[0]?.classes ?? [])).toBe(true)
  })
})
