import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { schemas } from '../compat/testing/arbitrary-schemas.ts'
import { sampleValue } from '../form/sample.ts'
import { isObject, type Json, type JsonObject } from '../json/json.ts'
import { readJson, readNumber, writeJson } from '../json/json-text.ts'
import { formatShellCommand } from '../text/shell.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { pseudoRandom } from '../validation/random.ts'
import { readFlags } from './read-flags.ts'
import { toFlags } from './to-flags.ts'

interface Field {
  readonly schema: JsonSchema
  readonly value: Json
}

const words = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    '--dry-run',
    'a,b',
    'k=v',
    '[1]',
    '{"a":1}',
    '"x"',
    'null',
    'true',
    '5',
    '',
    ' ',
    "it's",
    '-1',
    'a=b c=d',
  ),
)
const names = fc.oneof(
  fc.string({ minLength: 1, maxLength: 8 }),
  fc.constantFrom('id', 'role', 'json', 'help', 'dry-run', 'a=b', '__proto__', 'input-json', 'with space'),
)
const digits = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 30n }))
  .map(([minus, number]) => readNumber(`${minus ? '-' : ''}${number}`) ?? 0)

/** A schema together with a value that fits it. */
const fields: fc.Arbitrary<Field> = fc.letrec<{ field: Field }>(tie => {
  const plain = fc.oneof(
    words.map((value): Field => ({ schema: { type: 'string' }, value })),
    fc.boolean().map((value): Field => ({ schema: { type: 'boolean' }, value })),
    digits.map((value): Field => ({ schema: { type: 'integer' }, value })),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((value): Field => ({ schema: { type: 'number' }, value: readNumber(JSON.stringify(value)) ?? 0 })),
    words.map((value): Field => ({ schema: { enum: [value, 7, null] }, value })),
    fc
      .oneof(words, fc.integer(), fc.constant(null), fc.boolean())
      .map((value): Field => ({ schema: { type: ['string', 'integer', 'null', 'boolean'] }, value })),
    fc.jsonValue().map((value): Field => ({ schema: {}, value: JSON.parse(JSON.stringify(value)) as Json })),
  )
  return {
    field: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      plain,
      fc.tuple(tie('field'), fc.nat(3)).map(
        ([{ schema, value }, length]): Field => ({
          schema: { type: 'array', items: schema },
          value: Array.from({ length }, () => value),
        }),
      ),
      fc.array(fc.tuple(names, tie('field')), { maxLength: 3 }).map(objectField),
      fc.tuple(tie('field'), tie('field')).map(
        ([one, other]): Field => ({
          schema: { anyOf: [one.schema, other.schema] },
          value: one.value,
        }),
      ),
    ),
  }
}).field

function objectField(members: readonly (readonly [string, Field])[]): Field {
  const unique = new Map(members)
  const each = <Part>(part: (field: Field) => Part) =>
    Object.fromEntries([...unique].map(([name, field]) => [name, part(field)]))
  return {
    schema: { type: 'object', properties: each(field => field.schema) },
    value: each(field => field.value),
  }
}

function expectRoundTrip(schema: JsonSchema, input: JsonObject): void {
  const flags = toFlags(schema, input)
  // Only a tool that takes both names of the whole for itself may be out of reach.
  if (flags === null) {
    expect(JSON.stringify(schema)).toContain('"input-json"')
    return
  }
  const reading = readFlags(schema, flags)
  expect(reading).toMatchObject({ ok: true, dryRun: false, help: false })
  if (reading.ok) expect(canonical(reading.input)).toBe(canonical(input))
}

/** The text, keys sorted: numbers stand in it with all their digits. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return writeJson(value, 0)
  return `{${Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key] as Json)}`)
    .join()}}`
}

describe('toFlags and readFlags', () => {
  it('give the same object back', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(names, fields), { maxLength: 5 }), members => {
        const { schema, value } = objectField(members)
        if (isObject(value)) expectRoundTrip(schema, value)
      }),
      { numRuns: 1_500 },
    )
  })

  it('give samples of any schema back', () => {
    fc.assert(
      fc.property(schemas, fc.integer(), (schema, seed) => {
        const value = sampleValue(schema as JsonSchema, { random: pseudoRandom(seed), optional: 'some' })
        if (isObject(value)) expectRoundTrip(schema as JsonSchema, value)
      }),
      { numRuns: 300 },
    )
  })

  it('toFlags uses the short form of each flag', () => {
    const schema: JsonSchema = {
      properties: {
        build: { type: 'string' },
        replicas: { type: 'integer' },
        dry: { type: 'boolean' },
        notify: { type: 'array', items: { type: 'string' } },
        labels: { type: 'object' },
      },
    }
    const reading = readJson(
      '{"build":"b-1","replicas":3,"dry":true,"notify":["a","b"],"labels":{"k":"v w"}}',
    )
    const input = reading.ok ? (reading.value as JsonObject) : {}
    expect(formatShellCommand(toFlags(schema, input) ?? [])).toBe(
      `--build b-1 --replicas 3 --dry --notify a,b --labels '{"k":"v w"}'`,
    )
  })
})
