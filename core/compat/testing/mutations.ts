/** Changes to a schema with a known direction. For tests only. */
import fc from 'fast-check'
import { isObject, own, type UnknownObject } from '../../json/json.ts'

export interface Mutation {
  readonly schema: unknown
  /** `wider`: the schema accepts at least what the original one accepts. */
  readonly direction: 'wider' | 'narrower'
}

/** Keywords that only refuse values, and whose removal changes the meaning of no other keyword. */
const removable = [
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'uniqueItems',
  'required',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'dependentRequired',
  'not',
]
const lowered = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum']
const raised = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum']

/** Makes one random change to the schema itself or to a part below `properties` and `items`. */
export function mutations(schema: unknown): fc.Arbitrary<Mutation> {
  return fc.nat(1000).map(choice => {
    const options = isObject(schema) ? changes(schema) : []
    return options[choice % Math.max(1, options.length)] ?? { schema, direction: 'wider' }
  })
}

function changes(schema: UnknownObject): Mutation[] {
  const result: Mutation[] = []
  // Other keywords decide what an unevaluated keyword applies to, so such a schema can change in either direction.
  const isTouchy = JSON.stringify(schema).includes('unevaluated')
  if (isTouchy) return result
  const change = (direction: Mutation['direction'], part: UnknownObject) =>
    result.push({ schema: { ...schema, ...part }, direction })
  for (const keyword of Object.keys(schema)) {
    const value = own(schema, keyword)
    if (removable.includes(keyword)) {
      const { [keyword]: _, ...rest } = schema
      result.push({ schema: rest, direction: 'wider' })
    }
    if (lowered.includes(keyword) && typeof value === 'number') {
      if (value > 0 || keyword.endsWith('nimum')) change('wider', { [keyword]: value - 1 })
      change('narrower', { [keyword]: value + 1 })
    }
    if (raised.includes(keyword) && typeof value === 'number') {
      change('wider', { [keyword]: value + 1 })
      if (value > 0 || keyword.endsWith('ximum')) change('narrower', { [keyword]: value - 1 })
    }
    if (keyword === 'multipleOf' && typeof value === 'number') change('narrower', { multipleOf: value * 2 })
    if ((keyword === 'enum' || keyword === 'anyOf') && Array.isArray(value)) {
      change('wider', { [keyword]: [...value, keyword === 'enum' ? 'new' : { const: 'new' }] })
      if (value.length > 1) change('narrower', { [keyword]: value.slice(1) })
    }
    if (keyword === 'properties' && isObject(value))
      for (const name of Object.keys(value))
        for (const inner of isObject(value[name]) ? changes(value[name]) : [])
          result.push({
            schema: {
              ...schema,
              properties: Object.fromEntries([...Object.entries(value), [name, inner.schema]]),
            },
            direction: inner.direction,
          })
    if (keyword === 'items' && isObject(value))
      for (const inner of changes(value))
        result.push({ schema: { ...schema, items: inner.schema }, direction: inner.direction })
  }
  if (own(schema, 'required') === undefined) change('narrower', { required: ['a'] })
  return result
}
