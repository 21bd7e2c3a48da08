/** Reads all pages of `tools/list`. Each entry is read separately, so that a bad one does not hide the others. */
import type { Client } from '@modelcontextprotocol/client'
import { keepOneCopy } from '../../core/manifest/keep-one.ts'
import { ToolListReader } from '../../core/manifest/read-manifest.ts'
import type { Manifest, ManifestProblem } from '../../core/tool/tool.ts'
import { turns } from '../workers/run-slices.ts'
import { listPages, type PageLimits } from './list-pages.ts'

/** @param before the previous list: equal tools are shared with it */
export async function listTools(
  client: Client,
  limits: PageLimits,
  before: Manifest | undefined,
): Promise<Manifest> {
  const problems: ManifestProblem[] = []
  const reader = new ToolListReader('tools', keepOneCopy(before?.tools ?? []))
  // A server without tools omits the capability; requesting the list would be an error.
  if (client.getServerCapabilities()?.tools === undefined)
    problems.push({ message: 'The server offers no tools (it may offer prompts or resources).' })
  else
    await listPages(
      client,
      { method: 'tools/list', key: 'tools' },
      limits,
      message => problems.push({ message }),
      async entries => {
        const turn = turns()
        for (const entry of entries) {
          reader.add(entry)
          await turn()
        }
      },
    )
  const { tools, callingConvention } = reader
  const instructions = client.getInstructions()
  return {
    tools,
    format: 'MCP tools/list',
    problems: [...reader.problems, ...problems],
    ...(callingConvention === undefined ? {} : { callingConvention }),
    ...(instructions === undefined || instructions === '' ? {} : { instructions }),
  }
}
