/** Rules for references that lead nowhere, lead outside of the schema, or are not accepted by some clients. */
import { isObject } from '../json/json.ts'
import { recursiveReferences, type SchemaReference } from './references.ts'
import { nodeRule, referenceRule, type ToolLintRule } from './rule.ts'
import { clientDocuments } from './schema-nodes.ts'

const unresolved = (references: readonly SchemaReference[], isInside: boolean) =>
  references.filter(({ ref, target }) => target === undefined && ref.startsWith('#') === isInside)

export const referenceRules: readonly ToolLintRule[] = [
  referenceRule({
    id: 'dangling-reference',
    title: 'A reference inside a schema leads to a schema',
    severity: 'error',
    sources: {
      openai: clientDocuments.jsonSchemaReference,
      anthropic: clientDocuments.jsonSchemaReference,
      gemini: clientDocuments.jsonSchemaReference,
      mcp: clientDocuments.jsonSchemaReference,
    },
    find: references => unresolved(references, true),
    message: 'has no target in the schema',
    remedy: 'Add the definition, or fix the path.',
  }),
  referenceRule({
    // No client may fetch it, so the rest of the schema is unknown, and some SDKs refuse the tool.
    id: 'remote-reference',
    title: 'A schema refers to nothing outside of itself',
    severity: 'error',
    sources: { mcp: clientDocuments.mcpJsonSchema },
    find: references => unresolved(references, false),
    message: 'points outside of the schema; clients do not fetch it',
    remedy: 'Put the schema under $defs and refer to it by #/$defs/….',
  }),
  referenceRule({
    id: 'recursive-reference',
    title: 'A schema that contains itself is unrolled to a limited depth',
    severity: 'warning',
    sources: { gemini: clientDocuments.geminiRecursion },
    find: recursiveReferences,
    message: 'refers back to a schema that contains it (recursion)',
    remedy: 'Keep the recursive property optional, or bound the depth by hand.',
  }),
  nodeRule({
    // The Messages API accepts references; custom tools of managed agents refuse them.
    id: 'anthropic-reference',
    title: 'Custom tools of managed agents take no $ref',
    severity: 'info',
    sources: { anthropic: clientDocuments.anthropicCustomTools },
    keyword: '$ref',
    isFault: ({ schema }) => isObject(schema) && Object.hasOwn(schema, '$ref'),
    message: 'a reference: the Messages API takes it, a managed agent refuses the tool',
    remedy: 'Write the schema out where it is used.',
  }),
]
