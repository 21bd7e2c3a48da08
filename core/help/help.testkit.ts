import type { ManifestTool, Tool } from '../tool/tool.ts'
import { nameToolCommands, type ToolCommand } from './tool-commands.ts'

/** Tools of one source, as a catalog would hold them. */
export function toolsOf(source: string, entries: readonly Partial<ManifestTool>[]): Tool[] {
  return entries.map((entry, index) => ({
    name: 'tool',
    inputSchema: {},
    ...entry,
    ref: `${source}/${entry.name ?? 'tool'}${index === 0 ? '' : `~${index}`}`,
    source,
    index,
    callable: true,
  }))
}

/** One tool under its command. */
export function entryOf(tool: Partial<ManifestTool>): ToolCommand {
  const [entry] = nameToolCommands(toolsOf('acme', [tool])).entries
  if (entry === undefined) throw new Error('no entry')
  return entry
}

/** The tool that the formats' golden tests speak of. */
export const getUser: Partial<ManifestTool> = {
  name: 'get_user',
  description: 'Fetch user by ID',
  inputSchema: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      include_orders: { type: 'boolean' },
      role: { type: 'string', enum: ['admin', 'member', 'guest'] },
    },
    required: ['id'],
  },
}
