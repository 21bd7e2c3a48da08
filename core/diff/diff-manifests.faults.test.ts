import { describe, expect, test } from 'vitest'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import { diffManifests } from './diff-manifests.ts'

const tool = (name: string, more: Partial<ManifestTool> = {}): ManifestTool => ({
  name,
  inputSchema: { type: 'object' },
  ...more,
})
const manifest = (...tools: ManifestTool[]) => ({ tools })

describe('diffManifests of hostile manifests', () => {
  const both = async (a: JsonSchema, b: JsonSchema) => {
    const started = process.cpuUsage()
    const report = await diffManifests(
      manifest(tool('x', { inputSchema: a })),
      manifest(tool('x', { inputSchema: b })),
      {
        steps: 1_000_000,
      },
    )
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000)
    return report
  }

  test('reads names that have a meaning in JavaScript as plain names', async () => {
    const schema = (max: number) =>
      JSON.parse(
        `{"type":"object","properties":{"__proto__":{"type":"integer","maximum":${max}},"constructor":{"type":"integer","maximum":${max}}}}`,
      )
    const { changes } = await both(schema(9), schema(5))
    expect(changes.map(({ path, severity }) => [path, severity])).toEqual([
      ['/__proto__', 'breaking'],
      ['/constructor', 'breaking'],
    ])
    expect(({} as { maximum?: unknown }).maximum).toBeUndefined()
  })

  test('ends for schemas nested 5,000 deep, and counts something as undecided', async () => {
    let deep: JsonSchema = { type: 'string' }
    for (let level = 0; level < 5_000; level++) deep = { type: 'object', properties: { a: deep } }
    const { changes, undecided } = await both(deep, { type: 'object', properties: { a: deep, b: {} } })
    expect(changes.length).toBeGreaterThan(0)
    expect(undecided).toBeGreaterThan(0)
  })

  test('ends for definitions that multiply', async () => {
    const $defs: Record<string, JsonSchema> = { d0: { type: 'string' } }
    for (let level = 1; level < 40; level++)
      $defs[`d${level}`] = {
        type: 'object',
        properties: { a: { $ref: `#/$defs/d${level - 1}` }, b: { $ref: `#/$defs/d${level - 1}` } },
      }
    const { changes } = await both(
      { $defs, $ref: '#/$defs/d39' },
      { $defs: { ...$defs, d0: { type: 'number' } }, $ref: '#/$defs/d39' },
    )
    expect(changes.length).toBeGreaterThan(0)
  })

  test('reports a change for circular, missing and outside references and for broken keywords', async () => {
    const loop = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
    for (const odd of [
      loop,
      { $ref: '#/nowhere' },
      { $ref: 'https://example.com/schema' },
      { properties: 3 },
      { required: 'x' },
    ])
      expect((await both({ type: 'object' }, odd as JsonSchema)).changes.length).toBeGreaterThan(0)
  })

  test('compares patterns on which other engines never end', async () => {
    const { changes } = await both(
      { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      { type: 'object', properties: { a: { type: 'string', pattern: '^(a|a)*b$' } } },
    )
    expect(changes).toMatchObject([{ rule: 'pattern-changed' }])
  })

  test('compares a text of a megabyte and 3,000 new tools in less than 15 seconds', async () => {
    const long = 'word '.repeat(200_000)
    const many = Array.from({ length: 3_000 }, (_, at) =>
      tool(`new_tool_${at}`, { description: long.slice(0, 200) }),
    )
    const started = process.cpuUsage()
    const report = await diffManifests(
      manifest(tool('x', { description: long })),
      manifest(tool('x', { description: `${long} end` }), ...many),
    )
    expect(report.changes.length).toBe(3_001)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(15_000)
  })
})
