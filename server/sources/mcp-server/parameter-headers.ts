/** A modern server may want some inputs repeated as HTTP headers (`x-mcp-header` in its schema, SEP-2243). */
import type { ManifestTool } from '../../../core/tool/tool.ts'

const known = new WeakMap<ManifestTool, boolean>()

/** Does the tool's input schema ask for it? Asked on every call, found out once. */
export function usesParameterHeaders(tool: ManifestTool): boolean {
  const before = known.get(tool)
  if (before !== undefined) return before
  const found = mentionsHeader(tool.inputSchema)
  known.set(tool, found)
  return found
}

function mentionsHeader(schema: unknown): boolean {
  try {
    return JSON.stringify(schema).includes('"x-mcp-header"')
  } catch {
    // Nested too deep to be written down; the SDK's walk would not survive it either.
    return false
  }
}
