/**
 * `npm run bench -- samples --data DIR [--json]`: fills an example, and all fields, for every tool in a folder of
 * manifests. Exit code 1 if Ajv refuses one, or if less than 70% of the descriptions with an example in words are used.
 */
import { sampleValue } from '../core/form/sample.ts'
import { isObject, type Json, jsonText } from '../core/json/json.ts'
import { callerSchema } from '../core/schema/caller-schema.ts'
import { mapSubschemas } from '../core/schema/walk-schema.ts'
import type { JsonSchema, Tool } from '../core/tool/tool.ts'
import { compileSchema } from '../core/validation/ajv.testkit.ts'
import { loadMatchersFor } from '../core/validation/safe-pattern.ts'
import { printReport, readOptions } from './harness.mjs'
import { readCatalog } from './manifests.ts'

const wantedShare = 0.7

/** Recognises a description with an example in words, without the code that reads it. */
const namesExample = /\be\.\s?g\b|\bfor example\b|\bfor instance\b|\bsuch as\b|\bexamples?\s*:/i
/** The author's own values come before the words. */
const statedKeywords = ['enum', 'const', 'default', 'examples', 'example']

/** Whether a field whose description names an example was filled with a part of what follows the marker. */
interface FieldUse {
  readonly location: string
  readonly description: string
  readonly value: Json
  readonly isUsed: boolean
}

function* findUses(schema: unknown, value: Json, location: string): Generator<FieldUse> {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(value)) return
  for (const [name, field] of Object.entries(schema.properties)) {
    const given = value[name]
    if (!isObject(field) || given === undefined) continue
    const { description, type } = field
    yield* findUses(field, given, `${location}/${name}`)
    if (typeof description !== 'string' || type === 'boolean' || [given].flat().some(isObject)) continue
    if (statedKeywords.some(keyword => Object.hasOwn(field, keyword))) continue
    const marker = namesExample.exec(description)
    if (marker === null) continue
    const words = description.slice(marker.index).replaceAll('\\"', '"')
    const isUsed = [given]
      .flat()
      .every(part => words.includes(typeof part === 'string' ? part : `${jsonText(part)}`))
    yield { location: `${location}/${name}`, description, value: given, isUsed }
  }
}

/**
 * Returns an equal schema with `anyOf` for each condition without `else`: Ajv forgets in such a condition which
 * properties `allOf` has evaluated (agreement.test.ts).
 */
function withoutConditions(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { if: condition, then = true, ...rest } = mapSubschemas(schema, withoutConditions)
  if (condition === undefined || 'else' in rest) return mapSubschemas(schema, withoutConditions)
  const choice = { anyOf: [{ allOf: [condition, then] }, { not: condition }] }
  return { ...rest, allOf: [...(Array.isArray(rest.allOf) ? rest.allOf : []), choice] }
}

async function fill({ ref, inputSchema }: Tool) {
  const schema = callerSchema(inputSchema) as JsonSchema
  await loadMatchersFor(JSON.stringify(schema))
  const validate = compileSchema(withoutConditions(schema))
  const inputs = { example: sampleValue(schema, { optional: 'none' }), all: sampleValue(schema) }
  const invalid = Object.entries(inputs).flatMap(([name, input]) =>
    validate(input) ? [] : [`${name} ${jsonText(input)}: ${jsonText(validate.errors)}`],
  )
  return { ref, invalid, uses: [...findUses(inputSchema, inputs.all, ref)] }
}

const { data, json } = readOptions({ data: null, json: false })
const filled = []
for (const tool of readCatalog(data)) filled.push(await fill(tool))
const invalid = filled.filter(tool => tool.invalid.length > 0)
// Many tools of one server repeat a field: a description counts once.
const uses = [...new Map(filled.flatMap(tool => tool.uses.map(use => [use.description, use]))).values()]
const unused = uses.filter(({ isUsed }) => !isUsed)
const share = 1 - unused.length / Math.max(1, uses.length)
const counts = {
  tools: filled.length,
  valid: filled.length - invalid.length,
  descriptions: uses.length,
  used: uses.length - unused.length,
}
printReport({
  json,
  tables: { samples: { ...counts, share } },
  bars: [
    { name: 'tools', value: filled.length, min: 1 },
    { name: 'tools with an invalid example', value: invalid.length, max: 0 },
    { name: 'share of the examples in words that are used', value: share, min: wantedShare },
  ],
  details: { invalid, unused },
})
for (const tool of invalid.slice(0, 50))
  console.error(`${tool.ref}: ${tool.invalid.join('; ').slice(0, 500)}`)
