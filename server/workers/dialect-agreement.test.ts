import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { isSubschema } from '../../core/compat/is-subschema.ts'
import { inlineRefs } from '../../core/diff/schema/inline-refs.ts'
import { isObject, type Json } from '../../core/json/json.ts'
import { detectDialect } from '../../core/schema/dialect.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { createSchemaValidator } from '../../core/validation/schema-validator.ts'
import { applySchema } from './apply-schema.ts'

// Other files of this worker have loaded the modules without the mock.
vi.hoisted(() => vi.resetModules())
afterAll(() => vi.resetModules())
vi.mock('../../core/schema/dialect.ts', async original => {
  const actual = await original<typeof import('../../core/schema/dialect.ts')>()
  return { ...actual, detectDialect: vi.fn(actual.detectDialect) }
})

/** Each part of the program that reads a schema in a dialect. */
const readers: Readonly<Record<string, (schema: JsonSchema) => void>> = {
  validation: schema => void createSchemaValidator(schema),
  containment: schema => void isSubschema(schema, schema, { limits: { steps: 100 } }),
  diff: schema => void inlineRefs(schema, ''),
}

describe('readers of schemas', () => {
  const schemas = [...schemasIn('examples'), ...schemasIn(process.env.TOOLSCOPE_TEST_DATA ?? '')]
  test(`use the dialect that detectDialect returns for ${schemas.length} schemas`, {
    timeout: 600_000,
  }, () => {
    expect(schemas.length).toBeGreaterThan(0)
    for (const schema of schemas) {
      const stated = isObject(schema) && typeof schema.$schema === 'string'
      for (const [name, read] of Object.entries(readers)) {
        vi.mocked(detectDialect).mockClear()
        read(schema)
        const asked = vi.mocked(detectDialect).mock
        const own = asked.results.filter((_, index) => asked.calls[index]?.[0] === schema)
        // Where `$schema` states the dialect, containment need not ask.
        if (!(stated && name === 'containment')) expect(own.length, name).toBeGreaterThan(0)
        for (const { value } of own) expect(value, name).toBe(detectDialect(schema))
      }
    }
  })
})

describe('validators of schemas', () => {
  test.each<[string, JsonSchema, Json]>([
    ['draft 7, by the list form of items', { items: [{ type: 'string' }] }, [1]],
    [
      'draft 7, next to a reference',
      { $schema: 'http://json-schema.org/draft-07/schema#', ...refWithSiblings() },
      'text',
    ],
    ['2019-09', { items: [{}], unevaluatedItems: false }, [1, 2]],
    ['2020-12', { prefixItems: [{}], items: false }, [1, 2]],
    ['2020-12, unstated, next to a reference', refWithSiblings(), 5],
  ])('apply the dialect %s', (_, schema, refused) => {
    expect(applySchema(JSON.stringify(schema), refused).verdict).toBe('invalid')
    expect(createSchemaValidator(schema)(refused as never).verdict).toBe('invalid')
    expect(isSubschema({ const: refused }, schema).verdict).toBe('refuted')
  })

  function refWithSiblings(): { readonly [keyword: string]: unknown } {
    return { definitions: { a: { type: 'number' } }, $ref: '#/definitions/a', maximum: 3 }
  }
})

/** Every `inputSchema`, `outputSchema` and `input_schema` in the JSON files of a folder; none where it is missing. */
function schemasIn(folder: string): JsonSchema[] {
  if (folder === '' || !existsSync(folder)) return []
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
    name.endsWith('.json'),
  )
  return files.flatMap(name => {
    try {
      return schemasOf(JSON.parse(readFileSync(join(folder, name), 'utf8')))
    } catch {
      return []
    }
  })
}

const schemaKeys = new Set(['inputSchema', 'input_schema', 'outputSchema', 'parameters'])

function schemasOf(value: unknown): JsonSchema[] {
  if (Array.isArray(value)) return value.flatMap(schemasOf)
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, part]) =>
    schemaKeys.has(key) && isObject(part) ? [part] : schemasOf(part),
  )
}
