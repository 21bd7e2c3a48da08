import { describe, expect, test } from 'vitest'
import { detectDialect } from './dialect.ts'

describe('detectDialect', () => {
  test.each([
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }, 'draft-04'],
    [{ $schema: 'http://json-schema.org/draft-06/schema#' }, 'draft-06'],
    [{ $schema: 'https://json-schema.org/draft-07/schema', prefixItems: [] }, 'draft-07'],
    [{ $schema: 'https://json-schema.org/draft/2019-09/schema', prefixItems: [] }, '2019-09'],
    [{ $schema: 'https://json-schema.org/draft/2020-12/schema', items: [] }, '2020-12'],
    [{ $schema: 'https://example.com/of-nobody' }, '2020-12'],
    [{ $schema: 'https://spec.openapis.org/oas/3.0/schema/2024-10-18' }, 'draft-04'],
    [{ $schema: 'https://spec.openapis.org/oas/3.1/dialect/base', items: [] }, '2020-12'],
    [{}, '2020-12'],
    [true, '2020-12'],
    [5, '2020-12'],
    [{ items: [{}] }, 'draft-07'],
    [{ properties: { a: { anyOf: [{ items: [{}] }] } } }, 'draft-07'],
    [{ items: [{ $ref: '#/$defs/a' }], $defs: { a: {} } }, '2019-09'],
    [{ items: [{}], not: { prefixItems: [{}] } }, '2020-12'],
    [{ minimum: 1, exclusiveMinimum: true }, 'draft-04'],
    [{ items: { maximum: 1, exclusiveMaximum: false } }, 'draft-04'],
    [{ exclusiveMinimum: true, $defs: {} }, '2020-12'],
    [{ properties: { items: { type: 'array' } }, default: { items: [] }, enum: [{ items: [] }] }, '2020-12'],
  ])('reads %j as %s', (schema, dialect) => expect(detectDialect(schema)).toBe(dialect))

  test('reads a schema nested 100,000 deep', () => {
    let schema: object = { items: [] }
    for (let depth = 0; depth < 100_000; depth++) schema = { not: schema }
    expect(detectDialect(schema)).toBe('2020-12')
  })
})
