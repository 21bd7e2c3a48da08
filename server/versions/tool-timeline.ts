/** Lists the versions that added, changed or removed one tool. */

import type { Version, VersionList } from '../../core/api/versions.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import {
  gitVersions,
  readStoredVersions,
  type TimelineEntry,
  type TimelineSources,
} from './source-timeline.ts'

/** Minimum number of commits that are searched for the tool, even if fewer results are wanted. */
const minCommits = 60
/** How long an answer may spend on reading and comparing. */
const maxCompareMs = 3_000

type Touch = NonNullable<Version['touch']>

interface Touched {
  readonly known: TimelineEntry
  readonly before: TimelineEntry | undefined
  readonly touch: Touch
}

/** Returns the versions newest first. @param limit versions of each kind; at least one */
export async function toolTimeline(
  source: string,
  tool: string,
  limit: number,
  from: TimelineSources,
): Promise<VersionList> {
  const end = performance.now() + maxCompareMs
  const [stored, committed] = await Promise.all([
    touchedInStore(source, tool, from),
    touchedInGit(tool, Math.max(minCommits, limit), from, end),
  ])
  const lists = [stored, committed.touched].map(list => ({ shown: list.slice(0, limit), list }))
  const versions: Version[] = []
  for (const { shown } of lists)
    for (const { known, before, touch } of shown) {
      const counts =
        before && performance.now() < end ? await countToolSeverities(tool, before, known, from) : undefined
      versions.push({ ...known.version, touch, ...(counts === undefined ? {} : { counts }) })
    }
  return {
    versions: versions.sort((a, b) => Date.parse(b.time) - Date.parse(a.time)),
    more: committed.more || lists.some(({ shown, list }) => shown.length < list.length),
    kept: from.store.durable,
  }
}

async function touchedInStore(
  source: string,
  tool: string,
  from: TimelineSources,
): Promise<readonly Touched[]> {
  const [versions, touches] = await Promise.all([
    readStoredVersions(source, from),
    from.store.touches(source, tool),
  ])
  const at = new Map(versions.map(({ version }, index) => [version.number, index] as const))
  return touches
    .flatMap(({ number, hash }, index) => {
      const position = at.get(number)
      const known = position === undefined ? undefined : versions[position]
      if (known === undefined || position === undefined) return []
      const wasThere = index > 0 && touches[index - 1]?.hash !== undefined
      return [{ known, before: versions[position + 1], touch: toTouch(wasThere, hash !== undefined) }]
    })
    .reverse()
}

/** `more`: there are commits that were not read. */
async function touchedInGit(
  tool: string,
  maxCommits: number,
  from: TimelineSources,
  end: number,
): Promise<{ readonly touched: readonly Touched[]; readonly more: boolean }> {
  const touched: Touched[] = []
  const textAt = async (version: TimelineEntry | undefined) => {
    const found = await toolAt(tool, version)
    return found === undefined ? undefined : canonicalJson(found)
  }
  // One more than is searched, because the last one is compared with it.
  const versions = await gitVersions(maxCommits + 1, from)
  let now = await textAt(versions[0])
  for (const [index, known] of versions.slice(0, maxCommits).entries()) {
    if (performance.now() > end) return { touched, more: true }
    const before = versions[index + 1]
    const then = await textAt(before)
    if (now !== then) touched.push({ known, before, touch: toTouch(then !== undefined, now !== undefined) })
    now = then
  }
  return { touched, more: versions.length > maxCommits }
}

function toTouch(wasThere: boolean, isThere: boolean): Touch {
  if (!isThere) return 'removed'
  return wasThere ? 'changed' : 'added'
}

async function toolAt(name: string, version: TimelineEntry | undefined): Promise<ManifestTool | undefined> {
  const manifest = await version?.manifest().catch(() => null)
  return manifest?.tools.find(tool => tool.name === name)
}

/** Returns the severities of the changes of this tool only. */
async function countToolSeverities(
  tool: string,
  a: TimelineEntry,
  b: TimelineEntry,
  { counts }: TimelineSources,
) {
  const side = (version: TimelineEntry) => ({
    hash: `${version.hash} ${tool}`,
    manifest: async () => {
      const found = await toolAt(tool, version)
      return { format: '', tools: found === undefined ? [] : [found] }
    },
  })
  return counts.between(side(a), side(b)).catch(() => undefined)
}
