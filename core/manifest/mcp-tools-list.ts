import { own } from '../json/json.ts'
import { type EntryShape, without } from './entry.ts'

const known = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations']

/**
 * A tool as MCP's `tools/list` and `--llms` manifests write it:
 * `{name, title?, description?, inputSchema, outputSchema?, annotations?, _meta? …}`.
 */
export const mcpTool: EntryShape = {
  fits: entry => Object.hasOwn(entry, 'inputSchema'),
  read: entry => ({
    name: own(entry, 'name'),
    title: own(entry, 'title'),
    description: own(entry, 'description'),
    inputSchema: own(entry, 'inputSchema'),
    outputSchema: own(entry, 'outputSchema'),
    annotations: own(entry, 'annotations'),
    extra: without(entry, known),
  }),
}
