/** The whole of `tools/list`: every page, each entry read on its own, so that a bad one hides no other. */
import type { Client } from '@modelcontextprotocol/client'
import { readManifest } from '../../../core/manifest/read-manifest.ts'
import type { Manifest, ManifestProblem } from '../../../core/tool/tool.ts'
import { listPages } from './list-pages.ts'

/** @param timeoutMs for each page */
export async function listTools(client: Client, signal: AbortSignal, timeoutMs: number): Promise<Manifest> {
  const problems: ManifestProblem[] = []
  let entries: readonly unknown[] = []
  // A server without tools says so by leaving out the capability; asking would be an error.
  if (client.getServerCapabilities()?.tools === undefined)
    problems.push({ message: 'The server offers no tools (it may offer prompts or resources).' })
  else {
    const list = { method: 'tools/list', key: 'tools' }
    entries = await listPages(client, list, { signal, timeoutMs }, message => problems.push({ message }))
  }
  const manifest = readManifest({ tools: entries })
  const instructions = client.getInstructions()
  return {
    ...manifest,
    format: 'MCP tools/list',
    problems: [...manifest.problems, ...problems],
    ...(instructions === undefined || instructions === '' ? {} : { instructions }),
  }
}
