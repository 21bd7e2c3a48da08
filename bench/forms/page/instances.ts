/** Inputs for one schema: some meant to be valid, some spoilt. What they really are, the server's validator decides. */
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import { isJsonObject, type Json, writeJson } from '../../../core/schema/json-text.ts'
import { pseudoRandom } from '../../../core/schema/random.ts'
import { sampleValue } from '../../../core/schema/sample.ts'
import type { JsonSchema } from '../../../core/tool.ts'

/** JSON texts, without repeats. The same seed gives the same texts. */
export function instancesOf(schema: JsonSchema, seed: number): { valid: string[]; spoilt: string[] } {
  const caller = callerSchema(schema)
  const valid = new Set<string>()
  for (const optional of ['all', 'none', 'some'] as const)
    valid.add(writeJson(sampleValue(caller, { optional }), 0))
  for (let index = 0; index < 6; index++) {
    const random = pseudoRandom(seed * 31 + index)
    valid.add(writeJson(sampleValue(caller, { optional: index % 2 ? 'some' : 'all', random }), 0))
  }
  const spoilt = new Set<string>()
  for (let index = 0; index < 10 && spoilt.size < 6; index++) {
    const random = pseudoRandom(seed * 57 + index)
    const base = sampleValue(caller, { optional: index % 2 ? 'all' : 'some', random })
    spoilt.add(writeJson(spoil(base, random), 0))
  }
  return { valid: [...valid], spoilt: [...spoilt] }
}

const strangers: readonly Json[] = [
  null,
  true,
  12345678901234,
  'not this',
  '',
  [],
  {},
  [null, 'x'],
  { strange: [1, { deep: null }] },
  -0.5,
  'two\nlines',
  ' spaced ',
]

/** One change somewhere: another type, a missing key, an unknown key, a repeated item. */
function spoil(value: Json, random: () => number): Json {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  if (isJsonObject(value)) {
    const keys = Object.keys(value)
    const key = keys.length > 0 && random() < 0.75 ? pick(keys) : undefined
    if (key === undefined) return { ...value, 'not in the schema': pick(strangers) }
    if (random() < 0.25)
      return Object.fromEntries(Object.entries<Json>(value).filter(([name]) => name !== key))
    return Object.fromEntries(
      Object.entries<Json>(value).map(([name, item]): [string, Json] => [
        name,
        name === key ? spoil(item, random) : item,
      ]),
    )
  }
  if (Array.isArray(value) && value.length > 0) {
    const items = value as readonly Json[]
    if (random() < 0.3) return [...items, pick(strangers)]
    const at = Math.floor(random() * items.length)
    return items.map((item, index) => (index === at ? spoil(item, random) : item))
  }
  return pick(strangers)
}
