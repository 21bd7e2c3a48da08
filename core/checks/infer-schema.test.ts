import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Json } from '../json/json.ts'
import { readJson, writeJson } from '../json/json-text.ts'
import { createSchemaValidator } from '../validation/schema-validator.ts'
import { inferSchema } from './infer-schema.ts'

const json = (text: string) => (readJson(text) as { value: Json }).value

it('inferSchema: describes the types of a value, and none of its contents', () => {
  expect(inferSchema(json('{"id":7,"price":1.5,"big":12345678901234567890,"tags":["a"],"none":[]}'))).toEqual(
    {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        price: { type: 'number' },
        big: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        none: { type: 'array' },
      },
      required: ['id', 'price', 'big', 'tags', 'none'],
    },
  )
})

it('inferSchema: joins the items of an array into one schema', () => {
  expect(inferSchema(json('[{"a":1,"b":"x"},{"a":2.5},null]'))).toEqual({
    type: 'array',
    items: {
      type: ['object', 'null'],
      properties: { a: { type: 'number' }, b: { type: 'string' } },
      required: ['a'],
    },
  })
})

it('inferSchema: gives a schema that the value fits', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), value => {
      const read = json(JSON.stringify(value))
      const schema = JSON.parse(writeJson(inferSchema(read)))
      expect(createSchemaValidator(schema)(read).issues).toEqual([])
    }),
    { numRuns: 300 },
  )
})
