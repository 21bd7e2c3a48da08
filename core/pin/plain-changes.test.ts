import { describe, expect, test } from 'vitest'
import { comparePin } from './compare-pin.ts'
import { defaultPinPolicy, type PinClass } from './pin.ts'

type Schema = Record<string, unknown>

const object = (properties: object, more: object = {}): Schema => ({ type: 'object', properties, ...more })
const string = { type: 'string' }
const names = { type: 'string', enum: ['readme', 'license'] }
const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' }
const tuple = { type: 'array', items: [{ const: 1 }] }
const mail = { type: 'string', format: 'email' }
const note = { 'x-note': 'These count:\noptions and others' }
const folder = { type: 'string', pattern: '^/tmp/' }

/** Up to draft 7, the types next to the references are ignored. */
const either = (name: string): Schema => ({
  ...draft7,
  ...object({
    file: {
      [name]: [
        { $ref: '#/definitions/A', type: 'string' },
        { $ref: '#/definitions/B', type: 'integer' },
      ],
    },
  }),
  definitions: { A: string, B: folder },
})
/** The names of the modes are ignored. */
const eitherMode = (name: string): Schema => {
  const mode = (value: string) =>
    object({ mode: { $ref: '#/definitions/A', const: value } }, { required: ['mode'] })
  return {
    ...draft7,
    ...object({ file: { [name]: [mode('a'), mode('b')] } }),
    definitions: { A: string },
  }
}

/** In draft 4, the reference leads to the definition next to it. */
const nested = (name: Schema): Schema => ({
  $schema: 'http://json-schema.org/draft-04/schema#',
  ...object({
    file: {
      id: 'http://example.com/file',
      ...object({ name: { $ref: '#/definitions/N' } }),
      definitions: { N: name },
    },
  }),
  definitions: { N: names },
})

async function classify(before: Schema, after: Schema): Promise<readonly PinClass[]> {
  const item = (inputSchema: Schema) => ({ kind: 'tool' as const, name: 'read', definition: { inputSchema } })
  const approvedAt = '2026-11-28T08:00:00.000Z'
  const { differences } = await comparePin([{ ...item(before), approvedAt }], [item(after)])
  return differences[0]?.classes ?? ['same']
}

describe('comparePin', () => {
  test.each([
    [
      'that is still required',
      object({ path: folder }, { required: ['path'] }),
      object({}, { required: ['path'] }),
    ],
    [
      'in an object, that is still required',
      object({ file: object({ path: folder }, { required: ['path'] }) }),
      object({ file: object({}, { required: ['path'] }) }),
    ],
    [
      'that another part still declares',
      object({ path: string, name: string }, { allOf: [object({ path: folder, name: folder })] }),
      object({ path: string, name: string }, { allOf: [object({ name: folder })] }),
    ],
    [
      'that a definition still declares',
      object(
        { file: { $ref: '#/$defs/F', properties: { path: folder } } },
        { $defs: { F: object({ path: string }) } },
      ),
      object({ file: { $ref: '#/$defs/F', properties: {} } }, { $defs: { F: object({ path: string }) } }),
    ],
    [
      'among others with a schema',
      object({ path: folder }, { additionalProperties: string }),
      object({}, { additionalProperties: string }),
    ],
    [
      'that a text still names',
      object({ path: folder, name: { ...string, description: 'Its name below `path`.' } }),
      object({ name: { ...string, description: 'Its name below `path`.' } }),
    ],
    [
      'that had no limit but its members, and that a note still names',
      object({ options: object({ path: string }, { additionalProperties: false }) }, note),
      object({}, note),
    ],
    [
      'that was a flag, and that a text still names',
      object({ force: { type: 'boolean' } }, { description: 'Set `force`.' }),
      object({}, { description: 'Set `force`.' }),
    ],
    [
      'that a condition without `if` still declares',
      object({ path: folder }, { else: object({ path: string }) }),
      object({}, { else: object({ path: string }) }),
    ],
    [
      'that still matches a pattern',
      object({ path: folder }, { patternProperties: { '^p': string } }),
      object({}, { patternProperties: { '^p': string } }),
    ],
  ])('comparePin: the limits of a property %s ask without it', async (_name, before, after) => {
    const classes = await classify(before, after)
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  test.each([
    [
      'of a schema that accepts no property',
      object({ path: names }, { maxProperties: 0 }),
      object({ path: string }, { maxProperties: 0 }),
    ],
    [
      'of a part that accepts nothing',
      object({ path: { ...names, minLength: 9, maxLength: 5 } }),
      object({ path: { ...string, minLength: 9, maxLength: 5 } }),
    ],
    [
      'of one of two types that accepts nothing',
      object({ path: { ...folder, type: ['string', 'integer'], minLength: 9, maxLength: 5 } }),
      object({ path: { type: ['string', 'integer'], minLength: 9, maxLength: 5 } }),
    ],
    [
      'of an alternative that never applies',
      object({ path: { anyOf: [{ allOf: [names, { type: 'integer' }] }, { const: 'x' }] } }),
      object({ path: { anyOf: [{ allOf: [{}, { type: 'integer' }, string] }, { const: 'x' }] } }),
    ],
    [
      'of a schema that accepts no property any longer',
      object({ path: string }, { allOf: [object({ path: names }), { minProperties: 0 }] }),
      object({ path: string }, { allOf: [{ minProperties: 0 }], maxProperties: 0 }),
    ],
    [
      'of a part that accepts nothing any longer',
      object({ path: { ...string, allOf: [names, { maxLength: 30 }] } }),
      object({ path: { ...string, minLength: 31, allOf: [{ maxLength: 30 }] } }),
    ],
    [
      'of other properties that are not accepted any longer',
      object({}, { additionalProperties: { ...string, allOf: [names, { minLength: 0 }] } }),
      object({}, { maxProperties: 0, additionalProperties: { ...string, allOf: [{ minLength: 0 }] } }),
    ],
    [
      'of the last items, which are not accepted any longer',
      {
        ...draft7,
        ...object({ list: { ...tuple, additionalItems: { ...string, allOf: [names, { minLength: 0 }] } } }),
      },
      {
        ...draft7,
        ...object({
          list: { ...tuple, additionalItems: { ...string, allOf: [{ minLength: 0 }] }, maxItems: 1 },
        }),
      },
    ],
    [
      'that is a format, of a part',
      object({ path: string, name: string }, { allOf: [object({ path: mail, name: { maxLength: 3 } })] }),
      object({ path: string, name: string }, { allOf: [object({ name: { maxLength: 3 } })] }),
    ],
    [
      'that is a format, of an alternative',
      object({ path: { anyOf: [mail, { ...string, format: 'uri' }] } }),
      object({ path: { anyOf: [mail, string] } }),
    ],
    [
      'that is a format, of the first item',
      object({ list: { type: 'array', items: mail } }),
      object({ list: { type: 'array', items: string, prefixItems: [string] } }),
    ],
    [
      'of an object in a part that another part declares too',
      object({ file: object({ path: folder }) }, { allOf: [object({ file: object({ path: string }) }), {}] }),
      object({ file: object({}) }, { allOf: [object({ file: object({ path: string }) }), {}] }),
    ],
    [
      'that another property asks for',
      object({ mode: string, path: folder }, { dependentRequired: { mode: ['path'] } }),
      object({ mode: string }, { dependentRequired: { mode: ['path'] } }),
    ],
    [
      'whose name is one of those of all properties',
      object({ mode: string, path: folder }, { propertyNames: { enum: ['mode', 'path'] } }),
      object({ mode: string }, { propertyNames: { enum: ['mode', 'path'] } }),
    ],
    [
      'to known properties',
      object({ mode: string }, { unevaluatedProperties: false }),
      object({ mode: string }, { unevaluatedProperties: false, additionalProperties: true }),
    ],
    [
      'to known items',
      object({ list: { type: 'array', prefixItems: [string], unevaluatedItems: false } }),
      object({ list: { type: 'array', prefixItems: [string], unevaluatedItems: false, items: {} } }),
    ],
    ['whose list is empty', object({ path: names }), object({ path: { ...names, enum: [] } })],
    ['of the definition of a document in a document', nested(names), nested(string)],
    [
      'of the length of an alternative that lost a type',
      object({ path: { anyOf: [{ type: ['string', 'array'], maxLength: 5 }, { type: 'boolean' }] } }),
      object({ path: { anyOf: [string, { type: 'boolean' }] } }),
    ],
    ['to one of two definitions', either('oneOf'), either('anyOf')],
    ['to one of two modes', eitherMode('oneOf'), eitherMode('anyOf')],
  ])('comparePin: a limit %s asks without it', async (_part, before, after) => {
    const classes = await classify(before, after)
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  const [read, remove] = [{ const: 'read' }, { const: 'remove' }]
  const labels = { 'x-labels': ['Reads it', 'Removes it'] }
  test.each([
    [
      'of the values of an `enum`, in an object',
      object({ mode: { enum: ['read', 'remove'], 'x-enum': labels } }),
      object({ mode: { enum: ['remove', 'read'], 'x-enum': labels } }),
    ],
    [
      'of the values of an `enum`, around it',
      object({ modes: { type: 'array', items: { enum: ['read', 'remove'] }, ...labels } }),
      object({ modes: { type: 'array', items: { enum: ['remove', 'read'] }, ...labels } }),
    ],
    [
      'of the values of an `enum`, in a list in place of a text',
      object({ mode: { enum: ['read', 'remove'], description: ['Reads it', 'Removes it'] } }),
      object({ mode: { enum: ['remove', 'read'], description: ['Reads it', 'Removes it'] } }),
    ],
    [
      'of the values of an `enum`, in a list that is not valid',
      object({ mode: { enum: ['read', 'remove'], not: ['Reads it', 'Removes it'] } }),
      object({ mode: { enum: ['remove', 'read'], not: ['Reads it', 'Removes it'] } }),
    ],
    [
      'of types, one of which is gone',
      object({ mode: { type: ['string', 'integer'], ...labels } }),
      object({ mode: { type: 'integer', ...labels } }),
    ],
    [
      'of properties, one of which is gone',
      object({ a: string, b: string }, labels),
      object({ b: string }, labels),
    ],
    [
      'of a property that is deprecated now',
      object({ safe: string }),
      object({ safe: { ...string, deprecated: true } }),
    ],
    [
      'of values in `oneOf`',
      object({ mode: { oneOf: [read, remove], ...labels } }),
      object({ mode: { oneOf: [remove, read], ...labels } }),
    ],
    [
      'of alternatives',
      object({ mode: { anyOf: [{ type: 'string' }, { type: 'integer' }], ...labels } }),
      object({ mode: { anyOf: [{ type: 'integer' }, { type: 'string' }], ...labels } }),
    ],
    [
      'of alternatives, one of which is gone',
      object({ mode: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'boolean' }], ...labels } }),
      object({ mode: { anyOf: [{ type: 'integer' }, { type: 'boolean' }], ...labels } }),
    ],
    [
      'in `prefixItems`, which draft 7 does not know',
      { ...draft7, ...object({ pair: { items: [string, string], prefixItems: [labels] } }) },
      { ...draft7, ...object({ pair: { items: [string, string] } }) },
    ],
    [
      'of an alternative whose values fit another one',
      object({ mode: { anyOf: [string, { type: 'string', maxLength: 3, description: 'No secret.' }] } }),
      object({ mode: { anyOf: [string] } }),
    ],
  ])('comparePin: texts %s ask', async (_part, before, after) => {
    const classes = await classify(before, after)
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  const token = object({ token: string }, { required: ['token'] })
  test.each([
    [
      'that the only alternative now asks for',
      object({ q: string, token: string }, { anyOf: [{ required: ['q'] }, { required: ['token'] }] }),
      object({ q: string, token: string }, { anyOf: [{ required: ['token'] }] }),
    ],
    [
      'that was not asked for with null',
      object({ login: { anyOf: [token, { type: 'null' }] } }, { required: ['login'] }),
      object({ login: token }, { required: ['login'] }),
    ],
    [
      'that a list has many of',
      object({ messages: { type: 'array', items: string } }),
      object({ messages: { type: 'array', items: string, minItems: 500 } }),
    ],
    [
      'that a text is made of',
      object({ context: { ...string, minLength: 1 } }),
      object({ context: { ...string, minLength: 5000 } }),
    ],
    [
      'whose limits are gone with an alternative',
      object({ q: { anyOf: [object({ path: folder }), object({ name: string })] } }),
      object({ q: { anyOf: [object({ name: string })] } }),
    ],
  ])('comparePin: data %s asks', async (_data, before, after) => {
    const classes = await classify(before, after)
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  test('comparePin: an optional argument that took any text does not ask without it', async () => {
    const path = { ...string, description: 'Its path.' }
    for (const more of [{}, { additionalProperties: false }])
      expect(await classify(object({ path }, more), object({}, more))).not.toContain('wider-input')
  })
})

describe('comparePin', () => {
  const listed = (kind: 'tool' | 'prompt', before: Schema, after: Schema) =>
    comparePin(
      [{ kind, name: 'read', definition: before, approvedAt: '2026-11-28T08:00:00.000Z' }],
      [{ kind, name: 'read', definition: after }],
    ).then(({ differences }) => differences[0]?.classes)

  test.each([
    ['a title of its annotations', { annotations: { title: 'Reads path' } }],
    ['an unknown field', { extra: { _meta: { help: 'Also give the\npath' } } }],
    ['its output', { outputSchema: object({ text: { ...string, description: 'What is at path.' } }) }],
  ])('comparePin: a property that is gone asks if it is named by %s', async (_text, more) => {
    const [before, after] = [object({ path: folder }), object({})]
    const classes = await listed('tool', { inputSchema: before, ...more }, { inputSchema: after, ...more })
    expect(classes).toContain('wider-input')
  })

  test.each([
    ['new', [{ name: 'topic' }, { name: 'keys' }]],
    ['now required', [{ name: 'topic', required: true }]],
  ])('comparePin: an argument of a prompt that is %s is wider input', async (_what, after) => {
    expect(await listed('prompt', { arguments: [{ name: 'topic' }] }, { arguments: after })).toContain(
      'wider-input',
    )
  })

  test('comparePin: a property with a name of a million letters is compared', async () => {
    const name = 'a'.repeat(1_000_000)
    expect(await classify(object({ [name]: string, path: string }), object({ path: string }))).toEqual([
      'compatible',
    ])
  })

  test('comparePin: values of an output in another order are changed text next to a list of texts', async () => {
    const output = (...values: string[]) => ({
      inputSchema: object({}),
      outputSchema: object({ modes: { items: { enum: values }, 'x-labels': ['Reads it', 'Removes it'] } }),
    })
    const classes = await listed('tool', output('read', 'remove'), output('remove', 'read'))
    expect(classes).toContain('changed-text')
  })

  test.each([
    ['a value', { enum: ['Removes all of them for good.'] }],
    ['a name', object({ 'Removes all of them for good.': string })],
    ['the address of a part', { $id: 'Removes all of them for good.' }],
    ['a draft', { $schema: 'Removes all of them for good.' }],
  ])('comparePin: an approved text as %s is changed text', async (_use, state) => {
    const tool = { description: 'Removes all of them for good.', inputSchema: object({}) }
    const outputs = [{ type: 'string' }, { ...state, type: 'string' }].map(each => object({ state: each }))
    const [before, after] = outputs.map(outputSchema => ({ ...tool, outputSchema }))
    expect(await listed('tool', before ?? {}, after ?? {})).toContain('changed-text')
  })

  test('comparePin: an approved text in a new output schema is changed text', async () => {
    const topic = { ...string, description: 'Only for its owner.' }
    const tool = { inputSchema: object({ topic }) }
    expect(await listed('tool', tool, { ...tool, outputSchema: object({ topic }) })).toContain('changed-text')
  })
})
