/**
 * A soak test of the report: `npm run bench -- soak-reports [--count N] [--seed S] [--case I] [--data DIR]`. Compares
 * random and real pairs of schemas, as inputs and as outputs, and checks the guarantees of each report
 * (audit-comparison.testkit.ts).
 */
import { parseArgs } from 'node:util'
import { loadCompat } from '../../core/compat/is-subschema.ts'
import { editRandomly } from '../../core/compat/testing/edits.ts'
import { auditComparison, type JudgeOf } from '../../core/diff/schema/audit-comparison.testkit.ts'
import { isObject, own } from '../../core/json/json.ts'
import { mapSubschemas } from '../../core/schema/walk-schema.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { pseudoRandom } from '../../core/validation/random.ts'
import { ajvJudge, cfworkerJudge } from '../compat/validators.ts'
import { readSources } from '../fuzz/run-fuzz.ts'
import { attackValues, makePair, realSchemas, type SoakPair } from '../soak/make-pair.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    case: { type: 'string' },
  },
})
const seed = Number(values.seed)
const [from, to] =
  values.case === undefined ? [0, Number(values.count)] : [Number(values.case), Number(values.case) + 1]
await loadCompat()
const real = realSchemas(readSources(values.data))
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
  const [first, second] = [cfworkerJudge(schema), ajvJudge(schema)]
  return value => {
    const said = first(value)
    return said !== undefined && second(value) === said ? said : undefined
  }
}

/** Changes a real schema as its next release might: removes or renames fields, removes values, closes objects. */
function releasePair(random: () => number): SoakPair {
  const before = pick(wholes, random)
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

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item
}

const maxShown = 20
const total = { pairs: 0, breaks: 0, combined: 0, undecided: 0, passes: 0, faults: 0 }
for (let index = from; index < to; index++) {
  const number = (seed * 1_000_003 + index) | 0
  const random = pseudoRandom(~number)
  const { a, b } = random() < 0.5 ? makePair(number, real) : releasePair(random)
  const direction = index % 2 === 0 ? 'input' : 'output'
  const inner = direction === 'input' ? { a, b } : { a: b, b: a }
  total.pairs += 1
  const audit = await auditComparison(a as JsonSchema, b as JsonSchema, direction, {
    values: [...attackValues(inner, number, random)],
    judgeOf: buildAgreedJudge,
    random,
  })
  total.breaks += audit.breaks
  total.combined += audit.combined
  total.undecided += audit.undecided
  total.passes += audit.passes
  if (audit.faults.length === 0) continue
  total.faults += 1
  if (total.faults <= maxShown) {
    console.log(`case ${index} (${direction}): ${audit.faults.slice(0, 2).join('; ')}`)
    if (values.case !== undefined) console.log(JSON.stringify({ a, b }))
  }
}
console.log(total)
process.exitCode = total.faults > 0 ? 1 : 0
