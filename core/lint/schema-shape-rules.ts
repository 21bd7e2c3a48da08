/** Requirements of several clients for a schema: its root, its properties, its arrays, its size. */

import { isObject, jsonText, own } from '../json/json.ts'
import { detectDialect } from '../schema/dialect.ts'
import { type Dialect, isSince, keywords, validationKeywords } from '../schema/keywords.ts'
import type { JsonSchema } from '../tool/tool.ts'
import type { Fault } from './lint-finding.ts'
import { faultIf, faultsAt, nodeRule, quoted, type ToolLintRule, type ToolView, toolRule } from './rule.ts'
import { clientDocuments, hasType, isRootProperty, type SchemaNode, toNodePointer } from './schema-nodes.ts'

const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/

export const schemaShapeRules: readonly ToolLintRule[] = [
  toolRule({
    id: 'input-root',
    title: 'The root of an input schema says type: "object"',
    severity: 'error',
    sources: {
      openai: clientDocuments.openaiRoot,
      anthropic: clientDocuments.anthropicTool,
      gemini: clientDocuments.geminiRoot,
      mcp: clientDocuments.mcpTool,
    },
    path: '/inputSchema',
    isFault: ({ inputSchema }) => rootType(inputSchema) !== 'object',
    message: ({ inputSchema }) => {
      const type = rootType(inputSchema)
      const found = type === undefined ? 'has no type' : `has the type ${JSON.stringify(type).slice(0, 60)}`
      return `the root of the input schema ${found}`
    },
    remedy: 'Add "type": "object" at the root; put any other value inside a property.',
  }),
  toolRule({
    // Revision 2026-07-28 accepts any schema; clients of earlier revisions refuse the tool.
    id: 'mcp-output-root',
    title: 'The root of an output schema says type: "object" for clients before revision 2026-07-28',
    severity: 'warning',
    sources: { mcp: clientDocuments.mcpJsonSchema },
    path: '/outputSchema',
    isFault: ({ outputSchema }) => outputSchema !== undefined && rootType(outputSchema) !== 'object',
    message: 'the root of the output schema is not an object: clients up to revision 2025-11-25 refuse it',
    remedy: 'Wrap the result: {"type": "object", "properties": {"result": …}}.',
  }),
  {
    id: 'openai-root-keywords',
    title: 'No oneOf, anyOf, allOf, enum or not at the root of an input schema',
    severity: 'error',
    sources: { openai: clientDocuments.openaiRoot },
    checkTool: view => rootKeywordFaults(view, ['oneOf', 'anyOf', 'allOf', 'enum', 'not']),
  },
  {
    id: 'anthropic-root-keywords',
    title: 'No oneOf, allOf or anyOf at the root of an input schema',
    severity: 'error',
    sources: { anthropic: clientDocuments.anthropicRoot, 'claude-code': clientDocuments.anthropicRoot },
    checkTool: view => rootKeywordFaults(view, ['oneOf', 'allOf', 'anyOf']),
  },
  nodeRule({
    // The API checks only the names of the root's own properties, according to reports of users.
    id: 'anthropic-property-name',
    title: 'Top-level properties are named with 1 to 64 letters, digits and _ . -',
    severity: 'error',
    sources: { anthropic: clientDocuments.anthropicProperty },
    isFault: node => isRootProperty(node) && !propertyName.test(node.name ?? ''),
    message: ({ name = '' }) => `the property name ${quoted(name)} does not match ${propertyName.source}`,
    remedy: 'Rename the property, and map it back in the tool.',
  }),
  nodeRule({
    id: 'array-items',
    title: 'An array says what its items are',
    severity: 'error',
    sources: { openai: clientDocuments.openaiItems, vscode: clientDocuments.vscodeItems },
    isFault: ({ schema }) => isObject(schema) && hasType(schema, 'array') && !Object.hasOwn(schema, 'items'),
    message: 'an array without items: the request is refused ("array schema missing items")',
    remedy: 'Add items, at least {"type": "string"}, or {} where anything goes.',
  }),
  {
    id: 'keyword-ignored',
    title: 'Each keyword means something in the draft that its schema is written in',
    severity: 'warning',
    sources: { mcp: clientDocuments.mcpJsonSchema },
    checkTool: ({ tool: { inputSchema }, nodes }) => {
      const dialect = detectDialect(inputSchema)
      const found = nodes.flatMap(node =>
        ignoredIn(node.schema, dialect).map(([keyword, remedy]) => ({ node, keyword, remedy })),
      )
      return faultsAt(found, ({ node, keyword, remedy }) => ({
        path: `${toNodePointer(node)}/${keyword}`,
        message: `${keyword} has no meaning in ${dialect}: validators ignore it`,
        remedy,
      }))
    },
  },
]

/** Returns the keywords that the schema's draft ignores, each with its replacement. OpenAPI 3.0 has the first two. */
function ignoredIn(schema: SchemaNode['schema'], dialect: Dialect): readonly (readonly [string, string])[] {
  if (!isObject(schema)) return []
  const found: [string, string][] = []
  if (own(schema, 'nullable') === true)
    found.push(['nullable', 'Add "null" to the type: {"type": ["string", "null"]}.'])
  for (const keyword of ['exclusiveMinimum', 'exclusiveMaximum'])
    if (typeof own(schema, keyword) === 'boolean' && isSince(dialect, 'draft-06'))
      found.push([keyword, `Give the limit itself as its value: {"${keyword}": 5}.`])
  for (const keyword of Object.keys(schema)) {
    const since = keywords.get(keyword)?.since
    if (since !== undefined && validationKeywords.has(keyword) && !isSince(dialect, since))
      found.push([keyword, `State a draft that has it in $schema; it was added in ${since}.`])
  }
  return found
}

const rootType = (schema: JsonSchema) => (isObject(schema) ? own(schema, 'type') : undefined)

/** Measured on 1,154 tools of published servers: one in a hundred is longer. */
const maxSchemaCharacters = 20_000

export const schemaSize: ToolLintRule = {
  id: 'schema-size',
  title: 'An input schema is not longer than 20,000 characters',
  severity: 'info',
  sources: {
    openai: clientDocuments.openaiTokens,
    anthropic: clientDocuments.anthropicTool,
    gemini: clientDocuments.geminiFunction,
    mcp: clientDocuments.mcpTools,
  },
  checkTool: ({ tool, truncated }) => {
    const length = jsonText(tool.inputSchema)?.length ?? Number.POSITIVE_INFINITY
    const size = Number.isFinite(length) ? `${length} characters` : 'a depth that cannot be written out'
    return faultIf(
      length > maxSchemaCharacters || truncated,
      '/inputSchema',
      `the input schema has ${size}: every request pays for it in tokens`,
      'Split the tool, or describe rare parts in words and check them in the tool.',
    )
  },
}

/** Returns faults for keywords that are allowed everywhere except at the root of an input schema. */
function rootKeywordFaults(
  { tool: { inputSchema } }: ToolView,
  keywords: readonly string[],
): readonly Fault[] {
  return keywords
    .filter(keyword => isObject(inputSchema) && Object.hasOwn(inputSchema, keyword))
    .map(keyword => ({
      path: `/inputSchema/${keyword}`,
      message: `${keyword} is at the root of the input schema`,
      remedy: 'Move it into a property, or say it in the description and check it in the tool.',
    }))
}
