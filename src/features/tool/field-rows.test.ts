import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { anySchema } from '../../../core/prompt/help.testkit.ts'
import { hostileSchemas } from '../../../core/schema/hostile-schemas.testkit.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import {
  describeLimits,
  FieldReader,
  type FieldRow,
  formatDefault,
  formatDescription,
  listExamples,
  listFixedValues,
  typeWords,
} from './field-rows.ts'

const untouched: ReadonlyMap<string, boolean> = new Map()

function read(schema: JsonSchema, toggled = untouched, max = 100) {
  const reader = new FieldReader(schema)
  const { rows, hasMore } = reader.read(toggled, max)
  const lines = rows.map(({ depth, part, node }) => [depth, part.name, typeWords(reader.planner, node)])
  return { lines, rows, hasMore }
}

function allTexts(reader: FieldReader, { part, node }: FieldRow): string {
  const values = listFixedValues(node).flatMap(({ text, about }) => [text, about])
  const facts = [typeWords(reader.planner, node), ...describeLimits(node), ...values, ...listExamples(node)]
  return [part.name, formatDescription(node), formatDefault(node) ?? '', ...facts].join(' ')
}

const node = {
  type: 'object',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
}

describe('FieldReader', () => {
  it('lists fields, variants, maps, tuples and the fields of items in reading order', () => {
    const file = { title: 'file', type: 'object', properties: { path: { type: 'string' } } }
    const web = { title: 'web', type: 'object', properties: { url: { type: 'string' } } }
    const { lines } = read({
      type: 'object',
      properties: {
        where: { oneOf: [file, web] },
        labels: { type: 'object', additionalProperties: { type: 'integer', minimum: 0 } },
        pair: { type: 'array', prefixItems: [{ enum: ['a', 1] }, { type: 'integer' }], items: false },
        orders: { type: 'array', items: { properties: { sku: { type: ['string', 'null'] } } } },
      },
    })
    expect(lines).toEqual([
      [0, 'where', 'one of 2 variants'],
      [1, 'variant: file', 'object'],
      [2, 'path', 'string'],
      [1, 'variant: web', 'object'],
      [2, 'url', 'string'],
      [0, 'labels', 'map of integer'],
      [1, 'other keys', 'integer'],
      [0, 'pair', 'array'],
      [1, 'item 1', 'string or number'],
      [1, 'item 2', 'integer'],
      [0, 'orders', 'array of object'],
      [1, 'sku', 'string or null'],
    ])
  })

  it('stops where a schema refers to itself, and continues where the user opens it', () => {
    const schema = { properties: { tree: { $ref: '#/$defs/node' } }, $defs: { node } }
    const { lines, rows } = read(schema)
    expect(lines.map(([depth, name]) => [depth, name])).toEqual([
      [0, 'tree'],
      [1, 'name'],
      [1, 'children'],
      [2, 'name'],
      [2, 'children'],
    ])
    const last = rows.at(-1)
    expect(last).toMatchObject({ hasParts: true, isOpen: false })
    const opened = read(schema, new Map([[last?.key ?? '', true]]))
    expect(opened.lines.slice(5)).toEqual([
      [3, 'name', 'string'],
      [3, 'children', 'array of object'],
    ])
    expect(read(schema, new Map([['/0', false]])).lines).toHaveLength(1)
  })

  it('reads no more rows than requested', () => {
    const fields = Array.from({ length: 3_000 }, (_, index) => [`field_${index}`, { $ref: '#' }])
    const wide = { type: 'object', properties: Object.fromEntries(fields) }
    expect(read(wide, untouched, 100)).toMatchObject({ hasMore: true, rows: { length: 100 } })
    expect(read(wide, untouched, 3_000)).toMatchObject({ hasMore: false, rows: { length: 3_000 } })
  })

  test.each(Object.entries(hostileSchemas()))('reads %s in less than two seconds', (_name, schema) => {
    const start = process.cpuUsage()
    const reader = new FieldReader(schema)
    for (const row of reader.read(untouched, 100).rows) allTexts(reader, row)
    const { user, system } = process.cpuUsage(start)
    expect((user + system) / 1_000).toBeLessThan(2_000)
  })

  it('never throws, and returns text that is safe to show, for any schema', () => {
    fc.assert(
      fc.property(anySchema, schema => {
        const reader = new FieldReader(schema)
        for (const row of reader.read(untouched, 100).rows)
          expect(allTexts(reader, row).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e\u2028]/u)
      }),
      { numRuns: 100 },
    )
  })
})
