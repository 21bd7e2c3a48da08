/** The subset of OpenAPI that `FunctionDeclaration.parameters` accepts. */
import { isObject, own } from '../json/json.ts'
import { buildKeywordLintRule, nodeRule, quoted, type ToolLintRule } from './rule.ts'
import { clientDocuments, type SchemaNode } from './schema-nodes.ts'

/** The fields of the API's Schema message. The API answers any other field with "Unknown name … Cannot find field". */
const knownKeywords = new Set([
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems', 'properties'],
  ...['required', 'minProperties', 'maxProperties', 'minLength', 'maxLength', 'pattern', 'example', 'anyOf'],
  ...['propertyOrdering', 'default', 'items', 'minimum', 'maximum'],
])

export const geminiRules: readonly ToolLintRule[] = [
  buildKeywordLintRule({
    // A warning, not an error: clients send JSON Schema in `parametersJsonSchema`, or drop the keyword. In both cases
    // `parameters` differs from what the author wrote.
    id: 'gemini-keywords',
    title: 'parameters contains only keywords of the API’s Schema',
    severity: 'warning',
    sources: { gemini: clientDocuments.geminiSchema },
    isKnown: keyword => knownKeywords.has(keyword),
    message: 'is not a field of the API’s Schema: refused in parameters, or dropped by the client',
    remedy: 'Send the schema as parametersJsonSchema, or do without the keyword.',
  }),
  nodeRule({
    id: 'gemini-type-list',
    title: 'A type is one word, not a list',
    severity: 'warning',
    sources: { gemini: clientDocuments.geminiType },
    keyword: 'type',
    isFault: ({ schema }) => isObject(schema) && Array.isArray(own(schema, 'type')),
    message: 'a list of types: parameters answers "Proto field is not repeating, cannot start list"',
    remedy: 'Use anyOf with one type each, or nullable: true with the one type.',
  }),
  nodeRule({
    id: 'gemini-enum',
    title: 'An enum is a list of strings, with type: "string"',
    severity: 'warning',
    sources: { gemini: clientDocuments.geminiSchema },
    keyword: 'enum',
    isFault: ({ schema }) => {
      const values = isObject(schema) ? own(schema, 'enum') : undefined
      if (!isObject(schema) || !Array.isArray(values)) return false
      return own(schema, 'type') !== 'string' || values.some(value => typeof value !== 'string')
    },
    message: 'an enum that is not of strings, or that does not say type: "string"',
    remedy: 'Use strings and say "type": "string"; put numbers into the description.',
  }),
  nodeRule({
    id: 'gemini-format',
    title: 'Only the formats enum and date-time are accepted',
    severity: 'warning',
    sources: { gemini: clientDocuments.geminiFormat },
    keyword: 'format',
    isFault: node => {
      const format = formatOfString(node)
      return format !== undefined && format !== 'enum' && format !== 'date-time'
    },
    message: node =>
      `the format ${quoted(formatOfString(node) ?? '')} of a string is refused by the Gemini API`,
    remedy: 'Name the format in the description.',
  }),
]

function formatOfString({ schema }: SchemaNode): string | undefined {
  if (!isObject(schema) || own(schema, 'type') !== 'string') return undefined
  const format = own(schema, 'format')
  return typeof format === 'string' ? format : undefined
}
