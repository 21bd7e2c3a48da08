/** Lists all schemas inside a schema, without following references. */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { toPointer } from '../json/pointer.ts'
import { isSchema } from '../schema/schema.ts'
import { subschemas } from '../schema/walk-schema.ts'

export interface SchemaNode {
  readonly schema: boolean | UnknownObject
  readonly parent?: SchemaNode
  /** The JSON Pointer from the parent: `/properties/name`. */
  readonly step: string
  /** The keyword of the parent that contains it; `''` for the root. */
  readonly keyword: string
  /** The property's name, if the keyword is a map. */
  readonly name?: string
  /** How many object schemas contain it, itself included. */
  readonly objectDepth: number
}

interface SchemaNodes {
  readonly nodes: readonly SchemaNode[]
  /** Whether there were more than the limit; those are not checked. */
  readonly truncated: boolean
}

/** The limit of schemas to read inside one schema. */
const maxNodes = 20_000
/** How many steps of a JSON Pointer are written. */
const maxPointerSteps = 64

/** Lists schemas breadth first, in a loop, so that a schema may be nested a hundred thousand levels deep. */
export function schemaNodes(root: unknown, limit = maxNodes): SchemaNodes {
  if (typeof root !== 'boolean' && !isObject(root)) return { nodes: [], truncated: false }
  const nodes: SchemaNode[] = [
    { schema: root, step: '', keyword: '', objectDepth: isObjectSchema(root) ? 1 : 0 },
  ]
  for (let at = 0; at < nodes.length; at++) {
    const parent = nodes[at]
    if (parent === undefined || !isObject(parent.schema)) continue
    for (const { schema, path } of subschemas(parent.schema)) {
      if (!isSchema(schema)) continue
      if (nodes.length >= limit) return { nodes, truncated: true }
      const [keyword, key] = path
      const step = toPointer(path)
      const objectDepth = parent.objectDepth + (isObjectSchema(schema) ? 1 : 0)
      nodes.push({
        schema,
        parent,
        step,
        keyword,
        objectDepth,
        ...(key === undefined ? {} : { name: String(key) }),
      })
    }
  }
  return { nodes, truncated: false }
}

/** Returns whether `type` is this type or a list with it. */
export function hasType(schema: unknown, wanted: string): boolean {
  const type = isObject(schema) ? own(schema, 'type') : undefined
  return type === wanted || (Array.isArray(type) && type.includes(wanted))
}

/** Returns whether a schema has the type object, also in a list, or at least `properties`. */
export function isObjectSchema(schema: unknown): boolean {
  return hasType(schema, 'object') || (isObject(schema) && isObject(own(schema, 'properties')))
}

export function isRootProperty({ parent, keyword }: SchemaNode): boolean {
  return parent !== undefined && parent.parent === undefined && keyword === 'properties'
}

/** Returns the JSON Pointer of a node below `prefix`; for a very deep node, the last steps after `…`. */
export function toNodePointer(node: SchemaNode, prefix = '/inputSchema'): string {
  const steps: string[] = []
  let current: SchemaNode | undefined = node
  while (current?.parent !== undefined && steps.length < maxPointerSteps) {
    steps.push(current.step)
    current = current.parent
  }
  return `${prefix}${current?.parent === undefined ? '' : '/…'}${steps.reverse().join('')}`
}

/** The clients' documents on what they accept. Last checked in November 2026. */
export const clientDocuments = {
  openaiFunction: 'https://platform.openai.com/docs/api-reference/chat/create',
  openaiTokens: 'https://platform.openai.com/docs/guides/function-calling#token-usage',
  openaiStrict: 'https://platform.openai.com/docs/guides/structured-outputs#supported-schemas',
  /** Quotes the API's own answer, because the guide does not mention it. */
  openaiRoot: 'https://github.com/langchain-ai/langchainjs/issues/9804',
  openaiItems: 'https://github.com/sigoden/aichat/pull/1049',
  openaiDescription: 'https://github.com/getsentry/sentry-mcp/issues/106',
  anthropicTool: 'https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use',
  anthropicName: 'https://github.com/home-assistant/core/issues/147760',
  anthropicRoot: 'https://github.com/anthropics/claude-code/issues/27337',
  anthropicProperty: 'https://github.com/ComposioHQ/composio/issues/3500',
  anthropicUnique: 'https://github.com/anthropics/claude-code/issues/10687',
  anthropicCustomTools: 'https://platform.claude.com/docs/en/managed-agents/self-hosted-sandboxes',
  geminiFunction: 'https://ai.google.dev/api/caching#FunctionDeclaration',
  geminiSchema: 'https://ai.google.dev/api/caching#Schema',
  geminiRoot: 'https://github.com/diegosouzapw/OmniRoute/pull/3360',
  geminiType: 'https://github.com/zed-industries/zed/issues/53919',
  geminiFormat: 'https://github.com/google-gemini/gemini-cli/issues/3178',
  geminiRecursion: 'https://discuss.ai.google.dev/t/recursive-schema-definition/68607',
  aichatFunction: 'https://github.com/sigoden/aichat/blob/main/src/function.rs',
  vscodeServer:
    'https://github.com/microsoft/vscode/blob/main/src/vs/workbench/contrib/mcp/common/mcpServer.ts',
  vscodeGuide: 'https://code.visualstudio.com/api/extension-guides/ai/mcp',
  vscodeItems: 'https://github.com/microsoft/vscode/issues/246119',
  vscodeTools: 'https://code.visualstudio.com/docs/copilot/customization/mcp-servers',
  claudeCode: 'https://code.claude.com/docs/en/mcp',
  claudeCodeName: 'https://github.com/anthropics/claude-code/issues/955',
  claudeDirectory: 'https://claude.com/docs/connectors/building/review-criteria',
  chatgptReference: 'https://developers.openai.com/apps-sdk/reference',
  chatgptReview: 'https://developers.openai.com/apps-sdk/app-submission-guidelines',
  chatgptSearch: 'https://platform.openai.com/docs/mcp',
  mcpToolNames: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names',
  mcpTool: 'https://modelcontextprotocol.io/specification/2025-11-25/schema#tool',
  mcpAnnotations: 'https://modelcontextprotocol.io/specification/2025-11-25/schema#toolannotations',
  mcpTools: 'https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool',
  mcpJsonSchema: 'https://modelcontextprotocol.io/seps/2106-json-schema-2020-12',
  jsonSchemaReference: 'https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.3.1',
} as const
