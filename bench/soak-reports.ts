/**
 * A soak test of the reports of a diff:
 * `npm run bench -- soak-reports [--count N] [--seed S] [--case I] [--data DIR] [--json]`. Makes pairs of schemas: random
 * ones over all keywords of a dialect, edits of random and real ones, and the next releases of real ones. Compares each
 * as inputs or outputs, and checks the guarantees of the report (audit-comparison.testkit.ts).
 */
import { loadCompat } from '../core/compat/is-subschema.ts'
import { attackValues, createPick, makePair, type Pair } from '../core/compat/testing/arbitrary-pairs.ts'
import { editRandomly } from '../core/compat/testing/edits.ts'
import { createAjvCheck, createCfworkerCheck } from '../core/compat/testing/independent-checks.ts'
import { auditComparison, type JudgeOf } from '../core/diff/schema/audit-comparison.testkit.ts'
import { isObject, own } from '../core/json/json.ts'
import { parseManifestText } from '../core/manifest/read-manifest.ts'
import { detectDialect, stateDialect } from '../core/schema/dialect.ts'
import { allSchemas, mapSubschemas } from '../core/schema/walk-schema.ts'
import type { JsonSchema } from '../core/tool/tool.ts'
import { pseudoRandom } from '../core/validation/random.ts'
import { printReport, readOptions } from './harness.mjs'
import { type ManifestText, readManifestTexts } from './manifests.ts'

/** Larger schemas take most of the time and reach no other code. */
const maxCharacters = 1_500

/** Returns the schemas of all tools, and their parts that are meaningful on their own. */
function realSchemas(sources: readonly ManifestText[]): unknown[] {
  const wholes = sources.flatMap(({ text }) =>
    parseManifestText(text).tools.flatMap(({ inputSchema, outputSchema }) => [
      inputSchema,
      outputSchema ?? true,
    ]),
  )
  const parts = wholes.flatMap(whole => {
    const dialect = detectDialect(whole)
    const inside = allSchemas(whole, 50).slice(1)
    const closed = inside.filter(({ schema }) => !JSON.stringify(schema).includes('"$ref"'))
    return [whole, ...closed.map(({ schema }) => stateDialect(schema, dialect))]
  })
  return parts.filter(schema => {
    const text = JSON.stringify(schema)
    return text.length > 30 && text.length < maxCharacters
  })
}

const {
  data,
  count,
  seed,
  case: only,
  json,
} = readOptions({
  data: '',
  count: '2000',
  seed: '1',
  case: '',
  json: false,
})
await loadCompat()
const real = realSchemas(readManifestTexts(data))
const objects = real.filter(schema => isObject(schema) && isObject(own(schema, 'properties')))
/** Without data: one schema with the parts that releases change. */
const wholes =
  objects.length > 0
    ? objects
    : [
        {
          type: 'object',
          properties: {
            url: { type: 'string' },
            timeout: { type: 'integer', minimum: 0 },
            format: { enum: ['a', 'b', 'c'] },
            options: {
              type: 'object',
              properties: { deep: { type: 'boolean' }, tags: { type: 'array', items: { type: 'string' } } },
            },
          },
          required: ['url'],
        },
      ]

/** Decides only if both validators agree. */
const buildAgreedJudge: JudgeOf = schema => {
  const [first, second] = [createCfworkerCheck(schema), createAjvCheck(schema)]
  return value => {
    const said = first(value)
    return said !== undefined && second(value) === said ? said : undefined
  }
}

/** Changes a real schema as its next release might: removes or renames fields, removes values, closes objects. */
function releasePair(random: () => number): Pair {
  const before = createPick(random)(wholes)
  const isClosing = random() < 0.7
  const rewrite = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema
    const inner = mapSubschemas(schema, rewrite)
    const properties = own(inner, 'properties')
    if (!isObject(properties)) {
      const listed = own(inner, 'enum')
      return Array.isArray(listed) && listed.length > 1 && random() < 0.4
        ? { ...inner, enum: listed.slice(1) }
        : inner
    }
    const entries = Object.entries(properties).flatMap(([name, part]) => {
      const fate = random()
      if (fate < 0.15) return []
      return [
        [
          fate < 0.2 ? `${name}_id` : name,
          fate > 0.9 ? editRandomly(part, random, { type: 'string' }) : part,
        ] as const,
      ]
    })
    const required = own(inner, 'required')
    const kept = new Set(entries.map(([name]) => name))
    return {
      ...inner,
      properties: Object.fromEntries(entries),
      ...(Array.isArray(required) ? { required: required.filter(name => kept.has(name)) } : {}),
      ...(isClosing && random() < 0.8 ? { additionalProperties: false } : {}),
    }
  }
  return random() < 0.8 ? { a: before, b: rewrite(before) } : { a: rewrite(before), b: before }
}

/** Pairs whose report breaks a guarantee, a line each. */
const faults: string[] = []
const total = { pairs: 0, breaks: 0, combined: 0, undecided: 0, passes: 0 }
const [from, to] = only === '' ? [0, Number(count)] : [Number(only), Number(only) + 1]
for (let index = from; index < to; index++) {
  const number = (Number(seed) * 1_000_003 + index) | 0
  const random = pseudoRandom(~number)
  const { a, b } = random() < 0.5 ? makePair(number, real) : releasePair(random)
  const direction = index % 2 === 0 ? 'input' : 'output'
  const inner = direction === 'input' ? { a, b } : { a: b, b: a }
  const audit = await auditComparison(a as JsonSchema, b as JsonSchema, direction, {
    values: [...attackValues(inner, number, random)],
    judgeOf: buildAgreedJudge,
    random,
  })
  total.pairs += 1
  for (const key of ['breaks', 'combined', 'undecided', 'passes'] as const) total[key] += audit[key]
  if (audit.faults.length === 0) continue
  faults.push(`--seed ${seed} --case ${index} (${direction}): ${audit.faults.slice(0, 2).join('; ')}`)
  if (only !== '') console.error(JSON.stringify({ a, b }))
}
printReport({
  json,
  tables: { reports: total },
  bars: [{ name: 'pairs whose report is false', value: faults.length, max: 0 }],
  details: faults,
})
for (const fault of faults.slice(0, 20)) console.error(fault)
