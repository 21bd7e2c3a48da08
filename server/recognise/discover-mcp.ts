/** Lists of MCP servers that lie where the program starts. They are shown; nothing in them runs by itself. */

import type { SourceSpec } from '../sources/source.ts'
import { projectFiles } from './client-files.ts'
import { mcpSource } from './detect-source.ts'
import { readMcpJson } from './mcp-json.ts'

/** One stopped source a server; a server that several files name alike is listed once. A broken file is left out. */
export function discoverMcpServers(directory: string): readonly SourceSpec[] {
  const found = new Map<string, SourceSpec>()
  for (const path of mcpFilePlaces(directory))
    for (const server of serversOf(path))
      if (!found.has(server.name))
        found.set(server.name, {
          ...mcpSource(server),
          listedOnly: true,
          origin: { from: 'file', file: path },
        })
  return [...found.values()]
}

/** Where such files are looked for, absolute. */
export function mcpFilePlaces(directory: string): readonly string[] {
  return projectFiles(directory, process.platform).map(({ path }) => path)
}

function serversOf(path: string) {
  try {
    return readMcpJson(path) ?? []
  } catch {
    // Nobody asked for this file: "From another client" shows what is wrong with it.
    return []
  }
}
