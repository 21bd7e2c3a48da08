/** Reads the lists of a server. Each entry of `tools/list` is read separately, so that a bad one does not hide the others. */
import type { Client } from '@modelcontextprotocol/client'
import { isSameJson } from '../../core/json/equality.ts'
import { keepOneCopy } from '../../core/manifest/keep-one.ts'
import { ToolListReader } from '../../core/manifest/read-manifest.ts'
import type { Freshness } from '../../core/tool/freshness.ts'
import type { Manifest, ManifestProblem } from '../../core/tool/tool.ts'
import { turns } from '../workers/run-slices.ts'
import type { FreshLists, ReadList } from './fresh-lists.ts'
import { listPages, type PageLimits } from './list-pages.ts'
import { listSurface } from './list-surface.ts'

export interface ListOptions {
  readonly before: Manifest | undefined
  /** The previous list of the server's own tools. */
  readonly ownBefore: Manifest | undefined
  readonly lists: FreshLists
  /** Returns the list with the tools behind the server's own tools. */
  unfold(own: Manifest): Promise<Manifest>
}

/**
 * Reads tools, prompts, resources, templates and skills, except the lists that are still fresh. Rejects if the tools cannot
 * be read.
 */
export async function listAll(
  client: Client,
  limits: PageLimits,
  { before, ownBefore, lists, unfold }: ListOptions,
): Promise<Manifest> {
  const [manifest, { surface, problems }] = await Promise.all([
    lists.read('tools/list', async () => {
      const { result, freshness } = await listTools(client, limits, ownBefore)
      return { result: await unfold(result), freshness }
    }),
    listSurface(client, limits, { before: before ?? {}, lists }),
  ])
  return { ...manifest, ...surface, problems: [...manifest.problems, ...problems] }
}

/** Compares tools by identity: an unchanged tool is the same object in both lists. */
export function isSameList(
  { tools: before, ...restBefore }: Manifest,
  { tools, ...rest }: Manifest,
): boolean {
  return (
    before.length === tools.length &&
    before.every((tool, at) => tool === tools[at]) &&
    isSameJson(restBefore, rest)
  )
}

/** @param before the previous list: equal tools are shared with it */
async function listTools(
  client: Client,
  limits: PageLimits,
  before: Manifest | undefined,
): Promise<ReadList<Manifest>> {
  const problems: ManifestProblem[] = []
  const reader = new ToolListReader('tools', keepOneCopy(before?.tools ?? []))
  let freshness: Freshness | undefined
  // A server without tools omits the capability; requesting the list would be an error.
  if (client.getServerCapabilities()?.tools === undefined)
    problems.push({ message: 'The server offers no tools (it may offer prompts or resources).' })
  else
    freshness = await listPages(
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
  const result: Manifest = {
    tools,
    format: 'MCP tools/list',
    problems: [...reader.problems, ...problems],
    ...(callingConvention === undefined ? {} : { callingConvention }),
    ...(instructions === undefined || instructions === '' ? {} : { instructions }),
  }
  return { result, freshness }
}
