/** The whole of `tools/list`: every page, each entry read on its own, so that a bad one hides no other. */
import type { Client } from '@modelcontextprotocol/client'
import { isObject, own } from '../../../core/json/json.ts'
import { readManifest } from '../../../core/manifest/read-manifest.ts'
import type { Manifest, ManifestProblem } from '../../../core/tool/tool.ts'
import { keptResult } from './keep-results.ts'
import { anything } from './lenient-client.ts'

const MAX_PAGES = 10_000
const MAX_TOOLS = 200_000

/** @param timeoutMs for each page */
export async function listTools(client: Client, signal: AbortSignal, timeoutMs: number): Promise<Manifest> {
  const entries: unknown[] = []
  const problems: ManifestProblem[] = []
  const seen = new Set<string>()
  let cursor: string | undefined
  // A server without tools says so by leaving out the capability; asking would be an error.
  if (client.getServerCapabilities()?.tools === undefined)
    problems.push({ message: 'The server offers no tools (it may offer prompts or resources).' })
  else
    for (let page = 1; ; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const options = { signal, timeout: timeoutMs }
      const answer = keptResult(await client.request({ method: 'tools/list', params }, anything, options))
      const tools = isObject(answer) ? own(answer, 'tools') : undefined
      if (Array.isArray(tools)) for (const tool of tools) entries.push(tool)
      else problems.push({ message: `Page ${page} of the list holds no list of tools.` })
      const next = isObject(answer) ? own(answer, 'nextCursor') : undefined
      if (typeof next !== 'string' || next === '') break
      if (seen.has(next) || page >= MAX_PAGES || entries.length >= MAX_TOOLS) {
        problems.push({
          message: `The list was not read to its end: ${seen.has(next) ? 'a page points back to itself' : 'it is too long'}.`,
        })
        break
      }
      seen.add(next)
      cursor = next
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
