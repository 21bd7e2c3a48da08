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
const folder = { type: 'string', pattern: '^/tmp/' }

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
      'that still matches a pattern',
      object({ path: folder }, { patternProperties: { '^p': string } }),
      object({}, { patternProperties: { '^p': string } }),
    ],
  ])('comparePin: the limits of a property %s are wider input without it', async (_name, before, after) => {
    expect(await classify(before, after)).toContain('wider-input')
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
  ])('comparePin: a limit %s asks without it', async (_part, before, after) => {
    const classes = await classify(before, after)
    expect(classes.some(each => defaultPinPolicy[each] === 'ask')).toBe(true)
  })

  test('comparePin: a property that is no longer asked for does not ask', async () => {
    const more = { additionalProperties: {} }
    expect(
      await classify(object({ path: folder, name: string }, more), object({ name: string }, more)),
    ).toEqual(['compatible'])
    const closed = { required: ['name'], additionalProperties: false }
    expect(
      await classify(object({ path: folder, name: string }, closed), object({ name: string }, closed)),
    ).toEqual(['breaking'])
  })
})
