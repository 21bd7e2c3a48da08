import { describe, expect, test } from 'vitest'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import { type DiffOptions, diffManifests } from './diff-manifests.ts'

const object = (properties: Record<string, unknown>): JsonSchema => ({ type: 'object', properties })
const text = { type: 'string' }
const input = (name: string, inputSchema: JsonSchema): ManifestTool => ({ name, inputSchema })
const diff = (before: ManifestTool, after: ManifestTool, options?: DiffOptions) =>
  diffManifests({ tools: [before] }, { tools: [after] }, options)

describe('diffManifests: formats', () => {
  const site = (format?: string) => input('x', object({ url: { ...text, ...(format ? { format } : {}) } }))

  test('calls an added or changed format dangerous, with a value that fails a format check', async () => {
    const added = await diff(site(), site('uri'))
    expect(added.changes).toMatchObject([
      { rule: 'format-changed', severity: 'dangerous', witness: { value: { url: 'text' }, path: '/url' } },
    ])
    expect(added.changes[0]?.declared).toBeUndefined()
    const changed = await diff(site('uri'), site('email'))
    expect(changed.changes).toMatchObject([{ severity: 'dangerous', witness: { acceptedBy: 'before' } }])
  })

  test('calls a removed format, an unknown one and a format as annotation info', async () => {
    for (const [from, to, options] of [
      ['uri', undefined, {}],
      [undefined, 'our-own', {}],
      [undefined, 'uri', { formats: 'annotation' }],
    ] as const)
      expect((await diff(site(from), site(to), options)).changes).toMatchObject([
        { severity: 'info', declared: 'proved' },
      ])
  })

  test('calls a new format info if all allowed values have it', async () => {
    const listed = (more: object) => input('x', object({ url: { enum: ['https://example.com'], ...more } }))
    expect((await diff(listed({}), listed({ format: 'uri' }))).changes).toMatchObject([{ severity: 'info' }])
  })
})

describe('diffManifests: protocol eras', () => {
  const tool = (execution?: object): ManifestTool => ({
    name: 'x',
    inputSchema: true,
    ...(execution ? { extra: { execution } } : {}),
  })
  const side = (protocolVersion: string | undefined, ...tools: ManifestTool[]) => ({
    tools,
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
  })
  const count = async (...sides: Parameters<typeof diffManifests>) =>
    (await diffManifests(...sides)).changes.length

  test('ignores `execution` between eras, and if it says the same as its absence', async () => {
    const optional = tool({ taskSupport: 'optional' })
    expect(await count(side('2025-11-25', optional), side('2026-07-28', tool()))).toBe(0)
    expect(await count(side('2026-07-28', tool()), side('2025-11-25', optional))).toBe(0)
    expect(await count(side(undefined, optional), side(undefined, tool()))).toBe(0)
    expect(
      await count(side('2025-11-25', tool()), side('2025-11-25', tool({ taskSupport: 'forbidden' }))),
    ).toBe(0)
  })

  test('reports a change of `execution` within an era', async () => {
    const required = tool({ taskSupport: 'required' })
    expect(await count(side('2025-11-25', tool()), side('2025-11-25', required))).toBe(1)
  })
})
