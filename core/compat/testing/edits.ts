/** Edits of a schema like those of its authors, without a known direction. For tests only. */
import { isObject, type UnknownObject } from '../../json/json.ts'
import { keywords } from '../../schema/keywords.ts'
import { allSchemas, mapSubschemas, type VisitedSchema } from '../../schema/walk-schema.ts'

/**
 * Makes one edit in the schema: a keyword is removed, added or changed, or a subschema is replaced.
 *
 * @param random from 0 up to 1
 * @param donor the source of new keywords and subschemas
 */
export function editRandomly(schema: unknown, random: () => number, donor: unknown): unknown {
  const subschemas = allSchemas(schema, 200)
  const target = pick(subschemas, random)
  return target === undefined ? donor : rewritten(target, changed(target.schema, random, donor))
}

function pick<Item>(items: readonly Item[], random: () => number): Item | undefined {
  return items[Math.floor(random() * items.length)]
}

/** Returns the root with the visited schema replaced. */
function rewritten(target: VisitedSchema, schema: unknown): unknown {
  const { parent } = target
  if (parent === undefined) return schema
  return rewritten(
    parent,
    mapSubschemas(parent.schema, part => (part === target.schema ? schema : part)),
  )
}

function changed(schema: UnknownObject, random: () => number, donor: unknown): unknown {
  const names = Object.keys(schema).filter(name => keywords.get(name)?.role === 'validation')
  const name = pick(names, random)
  const given = isObject(donor) ? pick(Object.entries(donor), random) : undefined
  switch (Math.floor(random() * 8)) {
    case 0:
      return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== name))
    case 1:
    case 2:
      return given === undefined ? donor : { ...schema, [given[0]]: given[1] }
    case 3:
      return { anyOf: [withoutDefinitions(schema), donor], ...pickDefinitions(schema) }
    case 4:
      return { allOf: [withoutDefinitions(schema)], ...pickDefinitions(schema) }
    case 5:
      return { not: { not: withoutDefinitions(schema) }, ...pickDefinitions(schema) }
    default:
      if (name === undefined) return schema
      return { ...schema, [name]: changedValue(schema[name], random) }
  }
}

const isDefinitions = (name: string) => name.startsWith('$') || name === 'definitions'

/** The definitions, which must stay at the root of a document. */
function pickDefinitions(schema: UnknownObject): UnknownObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => isDefinitions(name) && name !== '$ref'))
}

function withoutDefinitions(schema: UnknownObject): UnknownObject {
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => !isDefinitions(name) || name === '$ref'),
  )
}

function changedValue(value: unknown, random: () => number): unknown {
  if (typeof value === 'number') return Math.max(0, value + (random() < 0.5 ? 1 : -1))
  if (typeof value === 'boolean') return !value
  if (Array.isArray(value) && value.length > 1) {
    const at = Math.floor(random() * value.length)
    return random() < 0.5 ? value.toSpliced(at, 1) : value.toReversed()
  }
  if (isObject(value)) {
    const names = Object.keys(value)
    const name = pick(names, random)
    if (name !== undefined && names.length > 1)
      return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  }
  return value
}
