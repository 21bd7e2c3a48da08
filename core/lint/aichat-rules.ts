/** functions.json as AIChat's own struct reads it. */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { buildKeywordLintRule, faultIf, faultsAt, type ToolLintRule } from './rule.ts'
import { clientDocuments, type SchemaNode, toNodePointer } from './schema-nodes.ts'

const knownKeywords = new Set([
  ...['type', 'description', 'properties', 'items', 'anyOf', 'enum', 'default', 'required'],
  // AIChat drops them, but they do not matter to a model.
  ...['$schema', '$id', '$comment', 'title', 'additionalProperties'],
])

export const aichatRules: readonly ToolLintRule[] = [
  {
    // With one mismatch, AIChat refuses the whole functions.json.
    id: 'aichat-shape',
    title: 'parameters is a schema with one type each, enums of strings and no true or false for a schema',
    severity: 'error',
    sources: { aichat: clientDocuments.aichatFunction },
    checkTool: ({ tool, nodes }) => [
      ...faultIf(
        !isObject(tool.inputSchema),
        '/inputSchema',
        'parameters is not an object: AIChat refuses the whole functions.json',
        'Write {"type": "object", "properties": {}}.',
      ),
      ...faultsAt(isObject(tool.inputSchema) ? mismatches(nodes) : [], ({ node, what }) => ({
        path: toNodePointer(node),
        message: `${what}: AIChat refuses the whole functions.json`,
        remedy: 'Use one type, strings in enum and a schema object for every property and for items.',
      })),
    ],
  },
  buildKeywordLintRule({
    id: 'aichat-keywords',
    title: 'Keywords outside of AIChat’s struct are dropped',
    severity: 'warning',
    sources: { aichat: clientDocuments.aichatFunction },
    isKnown: keyword => knownKeywords.has(keyword),
    message: 'is dropped: the model never reads it',
    remedy: 'Say in the description what the keyword says.',
  }),
]

/** AIChat follows these keywords to inner schemas and ignores all others. */
const followedKeywords = new Set(['', 'properties', 'items', 'anyOf'])

function* mismatches(nodes: readonly SchemaNode[]): Generator<{ node: SchemaNode; what: string }> {
  // A node is read only if all nodes around it are read.
  const read = new Set<SchemaNode>()
  for (const node of nodes) {
    if (!followedKeywords.has(node.keyword) || (node.parent !== undefined && !read.has(node.parent))) continue
    read.add(node)
    const what = describeMismatch(node.schema)
    if (what !== undefined) yield { node, what }
  }
}

function describeMismatch(schema: boolean | UnknownObject): string | undefined {
  if (typeof schema === 'boolean') return `${schema} is used as a schema`
  const has = (keyword: string) => Object.hasOwn(schema, keyword) && own(schema, keyword) !== null
  if (has('type') && typeof own(schema, 'type') !== 'string') return 'the type is not one word'
  if (has('description') && typeof own(schema, 'description') !== 'string')
    return 'the description is not a string'
  if (has('enum') && !isListOfStrings(own(schema, 'enum'))) return 'the enum is not of strings'
  if (has('required') && !isListOfStrings(own(schema, 'required'))) return 'required is not a list of names'
  if (has('items') && !isSchemaLike(own(schema, 'items'))) return 'items is a list'
  if (has('properties') && !isObject(own(schema, 'properties'))) return 'properties is not an object'
  if (has('anyOf') && !Array.isArray(own(schema, 'anyOf'))) return 'anyOf is not a list'
  return undefined
}

const isSchemaLike = (value: unknown) => isObject(value) || typeof value === 'boolean'

const isListOfStrings = (value: unknown) =>
  Array.isArray(value) && value.every(entry => typeof entry === 'string')
