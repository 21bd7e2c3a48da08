/** The page's validator and the server's give the same verdicts; where they cannot, the reason stands here. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../core/json/json.ts'
import { toPlain } from '../../core/json/json-text.ts'
import { pseudoRandom } from '../../core/sample/random.ts'
import { sampleValue } from '../../core/sample/sample.ts'
import { spoil } from '../../core/sample/spoil.testkit.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { createBrowserValidator } from '../../core/validation/browser-validator.ts'
import { compileSchema } from './compile-schema.ts'

interface Listed {
  readonly name: string
  readonly inputSchema: JsonSchema
}

const constructs = JSON.parse(
  readFileSync(new URL('../../bench/forms/constructs.json', import.meta.url), 'utf8'),
) as { readonly tools: readonly Listed[] }

type Judge = (value: Json) => string

function serverJudge(schema: JsonSchema): Judge {
  try {
    const validate = compileSchema(schema)
    // The value as the server parses it: objects with a prototype.
    return value => (validate(JSON.parse(JSON.stringify(toPlain(value)))) ? 'valid' : 'invalid')
  } catch {
    return () => 'unchecked'
  }
}

function browserJudge(schema: JsonSchema): Judge {
  const judge = createBrowserValidator(schema)
  return value => judge(value).verdict
}

const server = (schema: JsonSchema, value: Json) => serverJudge(schema)(value)
const browser = (schema: JsonSchema, value: Json) => browserJudge(schema)(value)

/** Told apart below. */
const explained = new Set(['prototype names', 'circle', 'unknown types', 'slow pattern'])

test.each(
  constructs.tools.filter(({ name }) => !explained.has(name)).map(tool => [tool.name, tool] as const),
)('%s: same verdicts on valid and spoilt inputs', (_, { inputSchema }) => {
  const inServer = serverJudge(inputSchema)
  const inBrowser = browserJudge(inputSchema)
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(3), (seed, spoils) => {
      const random = pseudoRandom(seed)
      let value = sampleValue(inputSchema, { random, optional: 'some' })
      for (let round = 0; round < spoils; round++) value = spoil(value, random)
      expect({ value, verdict: inBrowser(value) }).toEqual({ value, verdict: inServer(value) })
    }),
    { numRuns: 20 },
  )
})

describe('where they differ, and why', () => {
  test('Ajv forgets what allOf has seen once a condition without else stands beside unevaluatedProperties', () => {
    const schema: JsonSchema = {
      allOf: [{ properties: { a: {} } }],
      if: { required: ['b'] },
      // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
      then: { properties: { c: {} } },
      unevaluatedProperties: false,
    }
    expect(browser(schema, { a: 1 })).toBe('valid')
    expect(server(schema, { a: 1 })).toBe('invalid')
  })

  test('numeric formats (int32, float …) are checked by ajv-formats alone', () => {
    const schema = { type: 'integer', format: 'int32' }
    expect(server(schema, 12345678901234)).toBe('invalid')
    expect(browser(schema, 12345678901234)).toBe('valid')
  })

  test('Ajv compiles everything beforehand, the page meets a dead end only where a value leads to it', () => {
    const circle = constructs.tools.find(({ name }) => name === 'circle')?.inputSchema ?? true
    expect([server(circle, {}), browser(circle, {})]).toEqual(['unchecked', 'valid'])
    expect(browser(circle, { a: 1 })).toBe('unchecked')
    const unknown = { properties: { f: { type: 'file' } } }
    expect([server(unknown, {}), browser(unknown, {})]).toEqual(['unchecked', 'valid'])
  })
})

describe('where they agree by design', () => {
  test('both look at own keys only', () => {
    const schema = { properties: { hasOwnProperty: { type: 'integer' } } }
    expect(server(schema, {})).toBe('valid')
    expect(browser(schema, {})).toBe('valid')
  })

  test('both read a list of schemas in items as the older drafts mean it', () => {
    const schema = { items: [{ type: 'string' }] }
    expect(browser(schema, ['a'])).toBe('valid')
    expect(browser(schema, [1])).toBe('invalid')
    expect(server(schema, ['a'])).toBe('valid')
    expect(server(schema, [1])).toBe('invalid')
  })
})
