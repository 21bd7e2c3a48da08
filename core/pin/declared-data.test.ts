import { describe, expect, test } from 'vitest'
import { comparePin } from './compare-pin.ts'
import type { PinClass } from './pin.ts'

type Schema = Record<string, unknown>

const object = (properties: object, more: object = {}): Schema => ({ type: 'object', properties, ...more })
const string = { type: 'string' }
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
      'that still matches a pattern',
      object({ path: folder }, { patternProperties: { '^p': string } }),
      object({}, { patternProperties: { '^p': string } }),
    ],
  ])('comparePin: the limits of a property %s are wider input without it', async (_name, before, after) => {
    expect(await classify(before, after)).toContain('wider-input')
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
