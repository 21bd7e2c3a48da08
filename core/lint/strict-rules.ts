/**
 * Requirements of OpenAI's strict mode: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
 */
import { isObject, own } from '../json/json.ts'
import { buildKeywordLintRule, faultIf, faultsAt, nodeRule, quoted, type ToolLintRule } from './rule.ts'
import { clientDocuments, isObjectSchema, type SchemaNode, toNodePointer } from './schema-nodes.ts'

const sources = { 'openai-strict': clientDocuments.openaiStrict }

/**
 * The guide names these as unsupported, except `oneOf`: it is not in the list of supported keywords, and the API
 * refuses it.
 */
const refusedKeywords = new Set([
  ...['allOf', 'oneOf', 'not', 'dependentRequired', 'dependentSchemas', 'if', 'then', 'else'],
  ...['patternProperties', 'propertyNames', 'unevaluatedProperties', 'unevaluatedItems', 'contains'],
  'prefixItems',
])

/** The limit was five until 2025. References are not followed: a definition counts at its own location. */
const maxObjectDepth = 10
const maxProperties = 5_000
const maxEnumValues = 1_000
/** The total of property names, definition names, enum values and const values. */
const maxNameCharacters = 120_000
/** An enum with more values than this also has a limit of characters. */
const longEnumValues = 250
const maxLongEnumCharacters = 15_000

export const strictRules: readonly ToolLintRule[] = [
  nodeRule({
    id: 'strict-closed',
    title: 'Every object says additionalProperties: false',
    severity: 'error',
    sources,
    isFault: ({ schema }) =>
      isObject(schema) && isObjectSchema(schema) && own(schema, 'additionalProperties') !== false,
    message: 'an object without additionalProperties: false',
    remedy: 'Add "additionalProperties": false. Strict mode cannot express a map with free keys.',
  }),
  {
    id: 'strict-required',
    title: 'Every property is required',
    severity: 'error',
    sources,
    checkTool: ({ nodes }) => {
      const required = new Map<unknown, ReadonlySet<unknown>>()
      const requiredBy = (schema: unknown) => {
        const list = isObject(schema) ? own(schema, 'required') : undefined
        const names = required.get(schema) ?? new Set<unknown>(Array.isArray(list) ? list : [])
        required.set(schema, names)
        return names
      }
      return faultsAt(
        nodes.filter(
          ({ parent, keyword, name }) =>
            keyword === 'properties' && parent !== undefined && !requiredBy(parent.schema).has(name),
        ),
        node => ({
          path: toNodePointer(node),
          message: `the property ${quoted(node.name ?? '')} is optional`,
          remedy: 'Make it required and let it be null: "type": ["string", "null"].',
        }),
      )
    },
  },
  buildKeywordLintRule({
    id: 'strict-keywords',
    title: 'No keyword that strict mode does not know',
    severity: 'error',
    sources,
    isKnown: keyword => !refusedKeywords.has(keyword),
    message: 'is not supported in strict mode',
    remedy: 'Use anyOf for alternatives, and check other conditions in the tool.',
  }),
  {
    id: 'strict-depth',
    title: 'Objects are nested at most 10 levels deep',
    severity: 'error',
    sources,
    checkTool: ({ nodes }) => {
      const tooDeep = nodes.find(({ objectDepth }) => objectDepth > maxObjectDepth)
      if (tooDeep === undefined) return []
      const depth = nodes.reduce((deepest, { objectDepth }) => Math.max(deepest, objectDepth), 0)
      const message = `objects are nested ${depth} levels deep; strict mode accepts ${maxObjectDepth}`
      return [{ path: toNodePointer(tooDeep), message, remedy: 'Flatten the input, or split the tool.' }]
    },
  },
  {
    id: 'strict-size',
    title: 'At most 5,000 properties, 1,000 enum values and 120,000 characters of names',
    severity: 'error',
    sources,
    checkTool: ({ nodes }) => {
      const size = measureSchema(nodes)
      return [
        sizeFault('properties', size.properties, maxProperties),
        sizeFault('enum values', size.enumValues, maxEnumValues),
        sizeFault('characters of names and enum values', size.characters, maxNameCharacters),
        sizeFault(
          `characters in an enum of more than ${longEnumValues} values`,
          size.longEnumCharacters,
          maxLongEnumCharacters,
        ),
      ].flat()
    },
  },
]

function sizeFault(what: string, count: number, max: number) {
  const message = `${count} ${what}; strict mode takes ${max}`
  return faultIf(
    count > max,
    '/inputSchema',
    message,
    'Split the tool, or take a text and check it in the tool.',
  )
}

function measureSchema(nodes: readonly SchemaNode[]) {
  const size = { properties: 0, enumValues: 0, characters: 0, longEnumCharacters: 0 }
  for (const { schema, keyword, name } of nodes) {
    if (keyword === 'properties') size.properties += 1
    if (keyword === 'properties' || keyword === '$defs' || keyword === 'definitions')
      size.characters += name?.length ?? 0
    if (!isObject(schema)) continue
    const constant = own(schema, 'const')
    if (typeof constant === 'string') size.characters += constant.length
    const values = own(schema, 'enum')
    if (!Array.isArray(values)) continue
    const characters = values.reduce<number>(
      (sum, value) => sum + (typeof value === 'string' ? value.length : 0),
      0,
    )
    size.enumValues += values.length
    size.characters += characters
    if (values.length > longEnumValues)
      size.longEnumCharacters = Math.max(size.longEnumCharacters, characters)
  }
  return size
}
