/** Reads what a server offers besides tools: prompts, resources, templates and skills, its capabilities and icons. */
import { type Client, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/client'
import { toErrorMessage } from '../../core/errors.ts'
import { skillList } from '../../core/manifest/read-skills.ts'
import {
  promptList,
  readServerFacts,
  resourceList,
  type SurfaceList,
  type SurfaceListKey,
  templateList,
} from '../../core/manifest/read-surface.ts'
import type { ManifestProblem, Surface } from '../../core/tool/tool.ts'
import type { FreshLists, ReadList } from './fresh-lists.ts'
import { listPages, type PageLimits } from './list-pages.ts'
import { addSkillTexts } from './read-skill.ts'

interface FoundList<Key extends SurfaceListKey> {
  readonly found: Pick<Surface, Key> | object
  readonly faults: readonly ManifestProblem[]
}

/**
 * Milliseconds for each page: the tools wait for these lists, so a server that does not answer one must not hide the
 * tools for long.
 */
const maxPageMs = 15_000

/**
 * Reads the lists that the server declares. Never rejects: a list that cannot be read keeps the entries of `before`,
 * and a problem reports it.
 *
 * @param known `before`: the result of the previous reading; `lists`: those that are still fresh are not asked for
 */
export async function listSurface(
  client: Client,
  { signal, timeoutMs }: PageLimits,
  { before, lists: fresh }: { readonly before: Surface; readonly lists: FreshLists },
): Promise<{ readonly surface: Surface; readonly problems: readonly ManifestProblem[] }> {
  const problems: ManifestProblem[] = []
  const report = (problem: ManifestProblem) => void problems.push(problem)
  const capabilities = client.getServerCapabilities() ?? {}
  const limits = { signal, timeoutMs: Math.min(timeoutMs, maxPageMs) }
  const read = async <Key extends SurfaceListKey>(
    list: SurfaceList<Key>,
  ): Promise<Pick<Surface, Key> | object> => {
    if (!list.isDeclared(capabilities)) return {}
    const { found, faults } = await fresh.read(list.method, () => readList(list))
    for (const fault of faults) report(fault)
    return found
  }
  const readList = async <Key extends SurfaceListKey>(
    list: SurfaceList<Key>,
  ): Promise<ReadList<FoundList<Key>>> => {
    const faults: ManifestProblem[] = []
    const reportFault = (problem: ManifestProblem) => void faults.push(problem)
    try {
      const entries: unknown[] = []
      const freshness = await listPages(
        client,
        list,
        limits,
        message => reportFault({ message }),
        page => {
          for (const entry of page) entries.push(entry)
        },
      )
      const found = list.read(entries, reportFault)
      return { result: { found: found.length === 0 ? {} : { [list.key]: found }, faults }, freshness }
    } catch (thrown) {
      // Many servers with resources have no templates and do not implement this method.
      if (list.key === 'resourceTemplates' && isUnknownMethod(thrown))
        return { result: { found: {}, faults }, freshness: undefined }
      const previous = before[list.key]
      const rest = previous === undefined ? 'None are shown.' : 'Those that were read before are shown.'
      reportFault({
        message: `${list.method} failed: ${toErrorMessage(thrown).slice(0, 300)}. ${rest}`,
        hint: 'The tools are not affected. Refresh the source to try again.',
      })
      const found = previous === undefined ? {} : { [list.key]: previous }
      return { result: { found, faults }, freshness: undefined, isUnread: true }
    }
  }
  const readSkills = async () => {
    const found: Pick<Surface, 'skills'> = await read(skillList)
    if (found.skills === undefined || found.skills === before.skills) return found
    return {
      skills: await addSkillTexts(client, limits, { listed: found.skills, before: before.skills, report }),
    }
  }
  const lists = await Promise.all([read(promptList), read(resourceList), read(templateList), readSkills()])
  const facts = readServerFacts(capabilities, client.getServerVersion()?.icons, report)
  return { surface: Object.assign({}, ...lists, facts), problems }
}

const isUnknownMethod = (thrown: unknown) =>
  thrown instanceof ProtocolError && thrown.code === ProtocolErrorCode.MethodNotFound
