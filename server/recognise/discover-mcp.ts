/** Finds the lists of MCP servers in the folder in which Toolscope starts. The servers are shown but not started. */

import type { Slices } from '../../core/slices.ts'
import type { SourceSpec } from '../sources/source.ts'
import { projectFiles } from './client-files.ts'
import { mcpSource } from './detect-source.ts'
import { type McpJsonServer, readMcpJsonInSteps } from './mcp-json.ts'

/**
 * Returns one stopped source per server, one server a step. A name that several files use is listed once. Broken files
 * are skipped.
 */
export function* discoverMcpServers(directory: string): Slices<readonly SourceSpec[]> {
  const found = new Map<string, SourceSpec>()
  for (const path of listMcpFilePaths(directory))
    for (const server of yield* tryReadServers(path)) {
      if (!found.has(server.name))
        found.set(server.name, {
          ...mcpSource(server),
          listedOnly: true,
          origin: { from: 'file', file: path },
        })
      yield
    }
  return [...found.values()]
}

/** Returns the absolute paths at which such files are searched. */
export function listMcpFilePaths(directory: string): readonly string[] {
  return projectFiles(directory, process.platform).map(({ path }) => path)
}

function* tryReadServers(path: string): Slices<readonly McpJsonServer[]> {
  try {
    return (yield* readMcpJsonInSteps(path)) ?? []
  } catch {
    // The user did not name this file, so it is skipped: "From another client" shows its error.
    return []
  }
}
