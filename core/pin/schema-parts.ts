/** Reads the parts of a schema: the data that it declares, and its texts. */
import { inlineRefs } from '../diff/schema/inline-refs.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { keywords, textKeywords } from '../schema/keywords.ts'
import { allSchemas, subschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'

const maxVisits = 50_000

/**
 * Returns the locations of declared properties in the value, as JSON Pointers; `~2` is any item or undeclared property,
 * `~3` begins a pattern, and `~4` at the end means that it is required: no name contains these. Alternatives and references
 * count where they apply, so a schema that is only written differently has the same locations. Null if the references
 * cannot be followed, or the schema is too large.
 */
export function listDeclaredData(schema: JsonSchema): ReadonlySet<string> | null {
  const inlined = inlineRefs(schema, '')
  if (inlined === undefined) return null
  const found = new Set<string>()
  const open: OpenPart[] = [{ part: inlined.root, path: '', within: [] }]
  let visits = 0
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part, path, within } = next
    if (!isObject(part)) continue
    visits += 1
    if (visits > maxVisits) return null
    const dependent = own(part, 'dependentRequired')
    for (const names of [own(part, 'required'), ...(isObject(dependent) ? Object.values(dependent) : [])])
      for (const each of readNames(names)) found.add(`${path}${pointerStep(each)}~4`)
    // Only a definition that contains itself is still referred to. Its first level is enough.
    const name = /^#\/\$defs\/(.*)$/s.exec(String(own(part, '$ref') ?? ''))?.[1]
    if (name !== undefined && !within.includes(name))
      open.push({ path, part: own(inlined.definitions, name), within: [...within, name] })
    for (const { schema: inner, path: steps } of subschemas(part)) {
      const [keyword, key = ''] = steps
      const at = `${path}${describeStep(keyword, key)}`
      if (named.has(keyword)) found.add(at)
      open.push({ part: inner, path: at, within })
    }
  }
  return found
}

interface OpenPart {
  readonly part: unknown
  readonly path: string
  /** Names of the recursive definitions that it is in. */
  readonly within: readonly string[]
}

const named: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
const manyParts: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
])

/** Returns the step from a value to the part that a subschema describes; empty if it describes the same value. */
function describeStep(keyword: string, key: string | number): string {
  if (keyword === 'properties') return pointerStep(key)
  if (keyword === 'patternProperties') return `/~3${pointerStep(key)}`
  return manyParts.has(keyword) ? '/~2' : ''
}

const readNames = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter(name => typeof name === 'string') : []

/** A `format` is a name that a model reads. */
function listTexts(part: UnknownObject): readonly string[] {
  return [...textKeywords, 'format'].flatMap(name => {
    const text = own(part, name)
    if (text === undefined) return []
    return [typeof text === 'string' ? text : canonicalJson(text)]
  })
}

/** Returns the members that no validator reads, without the texts: unknown ones, defaults, examples. */
const listNotes = (part: UnknownObject) =>
  Object.entries(part).filter(([name]) => (keywords.get(name)?.role ?? 'annotation') === 'annotation')

/** Returns all schemas in a schema: a text after any number of them is read by a model. */
export const allParts = (schema: unknown) => allSchemas(schema, Number.POSITIVE_INFINITY)

/** Returns the texts and notes of all parts of a schema, or of a value with schemas. */
export const listAllTexts = (schema: unknown): readonly string[] =>
  allParts(schema).flatMap(({ schema: part }) => [
    ...listTexts(part),
    ...listNotes(part).map(([name, note]) => `${name}: ${canonicalJson(note)}`),
  ])

export const hasTexts = (schema: unknown) => listAllTexts(schema).length > 0
