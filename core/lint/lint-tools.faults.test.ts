import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema, Tool } from '../tool/tool.ts'
import { lintClients } from './lint-finding.ts'
import { lintTools } from './lint-tools.ts'

function toolOf(inputSchema: JsonSchema, name = 'tool'): Tool {
  return { ref: `s/${name}`, source: 's', index: 0, callable: true, name, inputSchema }
}

function timed(schema: JsonSchema): number {
  const start = process.cpuUsage()
  lintTools([toolOf(schema)], lintClients)
  return process.cpuUsage(start).user / 1000
}

describe('lintTools', () => {
  test('gives the same findings twice for any schema, and never throws', () => {
    const schema = fc.letrec(tie => ({
      schema: fc.oneof(
        { depthSize: 'small' },
        fc.boolean(),
        fc.record(
          {
            type: fc.constantFrom('object', 'string', 'array', ['string', 'null'], 7, null),
            properties: fc.dictionary(fc.string(), tie('schema')),
            items: fc.oneof(tie('schema'), fc.array(tie('schema')), fc.constant(3)),
            anyOf: fc.oneof(fc.array(tie('schema')), fc.constant('x')),
            enum: fc.oneof(fc.array(fc.jsonValue()), fc.jsonValue()),
            required: fc.jsonValue(),
            $ref: fc.oneof(fc.constantFrom('#', '#/properties/a', 'http://x', '#a', '#/%'), fc.jsonValue()),
            $defs: fc.dictionary(fc.constantFrom('a', '__proto__', 'constructor'), tie('schema')),
            format: fc.jsonValue(),
          },
          { requiredKeys: [] },
        ),
      ),
    })).schema
    fc.assert(
      fc.property(schema, fc.string(), (value, name) => {
        const tools = [toolOf(value as JsonSchema, name)]
        expect(lintTools(tools, lintClients)).toEqual(lintTools(tools, lintClients))
      }),
      { numRuns: 40 },
    )
  })
})

describe('lintTools: time for hostile schemas', () => {
  test('takes less than 3 seconds for 100,000 levels', () => {
    let deep: JsonSchema = { type: 'string' }
    for (let level = 0; level < 100_000; level++) deep = { type: 'object', properties: { a: deep } }
    expect(timed(deep)).toBeLessThan(3_000)
  })

  test('takes less than 3 seconds for 100,000 properties', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100_000 }, (_, at) => [`p${at}`, { type: 'array' }]),
    )
    expect(timed({ type: 'object', properties })).toBeLessThan(3_000)
  })

  test('takes less than 5 seconds for 20,000 recursive references by name', () => {
    const nodes = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, at) => [
        `d${at}`,
        { $anchor: `n${at}`, properties: { a: { $ref: '#' }, b: { $ref: `#n${10_000 - at}` } } },
      ]),
    )
    expect(timed({ type: 'object', $defs: nodes })).toBeLessThan(5_000)
  })

  test('takes less than 3 seconds for a schema object that contains itself', () => {
    const schema: Record<string, unknown> = { type: 'object' }
    schema.properties = { self: schema }
    expect(timed(schema as JsonSchema)).toBeLessThan(3_000)
  })
})
