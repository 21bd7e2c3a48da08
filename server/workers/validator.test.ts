import { afterAll, describe, expect, it } from 'vitest'
import type { Json } from '../../core/json/json.ts'
import { hostileSchemas } from '../../core/schema/hostile-schemas.testkit.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { loadMatchersFor } from '../../core/validation/safe-pattern.ts'
import { aboutTime } from '../testing/about-time.ts'
import { applySchema } from './apply-schema.ts'
import { startValidator } from './validator.ts'

const bomb = hostileSchemas()['doubling anyOf']
const check = (schema: unknown, value: Json) => applySchema(JSON.stringify(schema), value)
/** It takes a thread. */
const matching: JsonSchema = { pattern: '^a' }
const messages = (schema: unknown, value: Json) =>
  check(schema, value).issues.map(issue => `${issue.path} ${issue.message}`)

describe('applySchema', () => {
  it('reports each location with the expected and the actual value', () => {
    const schema = {
      type: 'object',
      required: ['region'],
      properties: { healthy: { type: 'boolean' }, env: { enum: ['dev', 'prod'] }, note: { maxLength: 3 } },
      additionalProperties: false,
    }
    const found = check(schema, { healthy: 'yes', env: 'x', note: 'abcde', extra: 1 })
    expect(found.verdict).toBe('invalid')
    expect(found.issues.map(issue => `${issue.path} ${issue.message}`).sort()).toEqual([
      '/env must be one of dev, prod',
      '/extra is not known to the schema',
      '/healthy must be true or false, is text',
      '/note must be at most 3 characters, is 5',
      '/region missing required value',
    ])
    expect(found.issues.find(issue => issue.path === '/healthy')).toMatchObject({
      expected: 'boolean',
      actual: 'string "yes"',
    })
  })

  it('reads the dialect from $schema', () => {
    const tuple = { items: [{ type: 'string' }], additionalItems: false }
    const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple }
    expect(check(draft7, ['a', 'b']).verdict).toBe('invalid')
    expect(
      check(
        {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          prefixItems: [{ type: 'string' }],
          items: false,
        },
        ['a', 'b'],
      ).verdict,
    ).toBe('invalid')
    expect(check({ $schema: 'https://example.org/unknown', type: 'string' }, 'a').verdict).toBe('valid')
  })

  it('says that a schema is broken instead of guessing', () => {
    for (const broken of [{ type: 'strin' }, { $ref: '#/nowhere' }, 7, { pattern: '(' }])
      expect(check(broken, 'x'), JSON.stringify(broken)).toMatchObject({
        verdict: 'unchecked',
        note: expect.any(String),
      })
  })

  it('follows every reference inside the schema', () => {
    const tree = { type: 'object', properties: { children: { items: { $ref: '#' } } }, required: ['name'] }
    expect(messages(tree, { name: 'a', children: [{ name: 'b', children: [{}] }] })).toEqual([
      '/children/0/children/0/name missing required value',
    ])
    const named = { $id: 'https://x.example/a', $ref: '#b', $defs: { b: { $anchor: 'b', type: 'string' } } }
    expect([check(named, 'a').verdict, check(named, 1).verdict]).toEqual(['valid', 'invalid'])
    expect(check({ $ref: 'https://elsewhere.example/a' }, 1)).toMatchObject({
      verdict: 'unchecked',
      note: expect.stringContaining('leads outside the schema'),
    })
  })

  it('keeps two schemas with the same $id apart', () => {
    expect(check({ $id: 'https://x.example/a', type: 'string' }, 'a').verdict).toBe('valid')
    expect(check({ $id: 'https://x.example/a', type: 'number' }, 'a').verdict).toBe('invalid')
  })

  it('matches patterns like ECMA-262, look-around included', async () => {
    await loadMatchersFor('(?!')
    expect(messages({ pattern: '^b-[0-9]+$' }, '1842')).toEqual([
      expect.stringMatching(/^ must look like b-\d+$/),
    ])
    expect(check({ pattern: '^(?!a)b' }, 'bc').verdict).toBe('valid')
    expect(check({ pattern: '^\\p{L}+$' }, 'Zoë').verdict).toBe('valid')
    expect(check({ pattern: '^a$' }, 'a\n').verdict).toBe('invalid')
  })

  it('keeps the patterns of one schema apart', () => {
    const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } }
    expect(messages(schema, { a: 'b', b: 'b' })).toEqual(['/a must look like a'])
  })

  it('lists at most a hundred issues and counts the rest', () => {
    const found = check(
      { items: { type: 'string' } },
      Array.from({ length: 250 }, (_, index) => index),
    )
    expect([found.issues.length, found.more]).toEqual([100, 150])
  })
})

describe('validator with threads', () => {
  const validator = startValidator(1_000)
  afterAll(() => validator.close())

  const hostile = `${'a'.repeat(100_000)}!`

  it('answers a catastrophic pattern in time', async () => {
    const found = await validator.validate({ type: 'string', pattern: '^(a+)+$' }, hostile)
    expect(found.verdict).toBe('invalid')
  })

  it('decides a slow pattern with look-around in time', aboutTime, async () => {
    const found = await validator.validate({ pattern: '^(?=(a+)+$)b' }, hostile)
    expect(found.verdict).toBe('invalid')
  })

  it('stops an endless schema, and continues with the next job', async () => {
    const slow = validator.validate(bomb, {})
    const after = validator.validate(matching, 'a')
    expect(await slow).toMatchObject({ verdict: 'unchecked', note: expect.stringContaining('longer than') })
    expect((await after).verdict).toBe('valid')
  })

  it('delays no other validation while one schema takes long', async () => {
    await Promise.all([validator.validate(matching, 1), validator.validate(matching, 2)])
    const order: string[] = []
    const slow = validator.validate(bomb, {})
    const quick = validator.validate(matching, 'a')
    await Promise.all([slow.then(() => order.push('slow')), quick.then(() => order.push('quick'))])
    expect(order).toEqual(['quick', 'slow'])
  })

  it('does not throw for a schema that is nested too deep for JSON', async () => {
    let deep: JsonSchema = {}
    for (let depth = 0; depth < 20_000; depth++) deep = { not: deep }
    expect(await validator.validate(deep, 1)).toMatchObject({ verdict: 'unchecked' })
  })

  it('returns the verdict "no schema" without a schema', async () => {
    expect(await validator.validate(undefined, {})).toEqual({ verdict: 'no schema', issues: [] })
  })

  it('answers many jobs at once, each with its own verdict', async () => {
    const found = await Promise.all(
      Array.from({ length: 50 }, (_, index) => validator.validate({ pattern: '^1?.$' }, `${index}`)),
    )
    expect(found.map(each => each.verdict)).toEqual(
      Array.from({ length: 50 }, (_, index) => (index <= 19 ? 'valid' : 'invalid')),
    )
  })
})
