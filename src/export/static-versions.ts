/** Versions and comparisons of an export, computed in the browser from the exported manifests. */
import { findChunk, type SiteCatalog } from '../../core/api/site.ts'
import { poolName, type SiteVersion, type SiteVersions, versionsName } from '../../core/api/site-versions.ts'
import type { Version, VersionList } from '../../core/api/versions.ts'
import type { DiffReport, DiffSide } from '../../core/diff/change.ts'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import { AppError } from '../../core/errors.ts'
import { parseSnapshotReference, selectSnapshot } from '../../core/manifest/reference.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import type { Handlers } from '../api/local-backend.ts'
import { createWorkerClient } from '../api/worker-requests.ts'
import type { DiffReply, ExportDiffRequest } from './diff.worker.ts'
import workerAddress from './diff.worker.ts?worker&url'
import { createPartLoader, type LoadPart } from './load-part.ts'

/** Returns no handlers if the export contains only one manifest. */
export function staticVersions(catalog: SiteCatalog, load: LoadPart): Handlers {
  if (!catalog.comparable) return {}
  const sources = new Map(catalog.tools.map(({ ref, source, name }) => [ref, { source, name }]))
  const compare = createCompare(load)
  let loading: Promise<SiteVersions> | undefined
  const all = () => {
    loading ??= load<SiteVersions>(versionsName)
    loading.catch(() => {
      loading = undefined
    })
    return loading
  }
  const chunkAt = createPartLoader<readonly ManifestTool[]>(load, poolName)
  const toolAt = async ({ chunkStarts }: SiteVersions, position: number) => {
    const chunk = findChunk(chunkStarts, position)
    const tool = (await chunkAt(chunk))[position - (chunkStarts[chunk] ?? 0)]
    return tool === undefined ? [] : [tool]
  }
  const readDiffSide = async (
    site: SiteVersions,
    { tools, instructions }: SiteVersion,
    leftOut: ReadonlySet<number>,
  ) => {
    const remaining = tools.filter(position => !leftOut.has(position))
    const read = await Promise.all(remaining.map(position => toolAt(site, position)))
    return { tools: read.flat(), ...(instructions === undefined ? {} : { instructions }) } satisfies DiffSide
  }
  return {
    async 'GET /api/sources/{name}/versions'({ params, query }) {
      return toVersionList(
        findVersions(await all(), params.name).map(({ version }) => version),
        query,
      )
    },
    async 'GET /api/tools/{+ref}/versions'({ params: { ref }, query }) {
      const { source, name } = sources.get(ref) ?? { source: '', name: '' }
      const site = await all()
      return toVersionList(
        await touches(site, findVersions(site, source), name, position => toolAt(site, position), compare),
        query,
      )
    },
    async 'GET /api/diff'({ query: { a, b, strict } }) {
      const site = await all()
      const [before, after] = [find(site, a), find(site, b)]
      const equal = equalTools(before.found, after.found)
      const [left, right] = await Promise.all([
        readDiffSide(site, before.found, equal),
        readDiffSide(site, after.found, equal),
      ])
      const report = await compare(left, right, site.rules, strict === '1')
      return {
        a: { label: before.label, side: left },
        b: { label: after.label, side: right },
        report: { ...report, compared: report.compared + equal.size },
        rules: site.rules,
      }
    },
  }
}

function findVersions(site: SiteVersions, source: string): readonly SiteVersion[] {
  return site.sources.find(each => each.source === source)?.versions ?? []
}

function toVersionList(versions: readonly Version[], query: { readonly limit?: unknown } = {}): VersionList {
  const limit = Number(query.limit)
  return { versions: versions.slice(0, limit), more: versions.length > limit, kept: true }
}

/**
 * Returns a version by its reference, or a source's newest by the source's name. Throws AppError `source-not-found`.
 */
function find(site: SiteVersions, reference: string): { found: SiteVersion; label: string } {
  const [open] = findVersions(site, reference).toSorted(
    (a, b) => Number(b.version.current) - Number(a.version.current),
  )
  if (open) return { found: open, label: reference }
  for (const { versions } of site.sources)
    for (const found of versions)
      if (found.version.reference === reference) return { found, label: found.version.name }
  const parsed = parseSnapshotReference(reference)
  if (parsed) {
    const stored = findVersions(site, parsed.source).filter(({ version }) => version.kind === 'snapshot')
    const snapshots = stored.map(({ version: { number = 0, time, labels } }) => ({
      source: parsed.source,
      number,
      time,
      labels,
      hash: '',
      toolCount: 0,
      cause: 'opened' as const,
    }))
    const chosen = selectSnapshot(snapshots, parsed.selector)
    const found = stored.find(({ version }) => version.number === chosen?.number)
    if (found) return { found, label: found.version.name }
  }
  throw new AppError('source-not-found', `"${reference}" is not in this export`, {
    hint: `There are ${site.sources.map(({ source }) => source).join(', ')} and their versions.`,
  })
}

/** Returns the tools that are identical on both sides, each once: they need not be loaded or compared. */
function equalTools(a: SiteVersion, b: SiteVersion): ReadonlySet<number> {
  const once = (tools: readonly number[]) => {
    const seen = new Map<number, number>()
    for (const position of tools) seen.set(position, (seen.get(position) ?? 0) + 1)
    return new Set(tools.filter(position => seen.get(position) === 1))
  }
  const right = once(b.tools)
  return new Set([...once(a.tools)].filter(position => right.has(position)))
}

/** Returns the versions that changed a tool, newest first, each with its severity. */
async function touches(
  site: SiteVersions,
  versions: readonly SiteVersion[],
  name: string,
  read: (position: number) => Promise<readonly ManifestTool[]>,
  compareSides: Compare,
): Promise<readonly Version[]> {
  const at = (version: SiteVersion | undefined) =>
    version?.tools.find(position => site.names[position] === name)
  const touched: Promise<Version>[] = []
  for (const kind of ['snapshot', 'git'] as const) {
    const list = versions.filter(({ version }) => version.kind === kind)
    for (const [index, { version }] of list.entries()) {
      const [now, then] = [at(list[index]), at(list[index + 1])]
      if (now === then) continue
      const touch = now === undefined ? 'removed' : then === undefined ? 'added' : 'changed'
      const { counts: _, ...plain } = version
      const compare = async (): Promise<Version> => {
        if (list[index + 1] === undefined) return { ...plain, touch }
        const { counts } = await compareSides(
          { tools: then === undefined ? [] : await read(then) },
          { tools: now === undefined ? [] : await read(now) },
          site.rules,
        )
        return { ...plain, touch, counts }
      }
      touched.push(compare())
    }
  }
  const found = await Promise.all(touched)
  return found.sort((a, b) => Date.parse(b.time) - Date.parse(a.time))
}

/** Milliseconds. The diff has lower limits of its own; after this time the worker hangs. */
const timeoutMs = 30_000

/** The worker's script is part of the data, because a browser starts no worker from a `file:` address. */
const workerPart = workerAddress.replace(/^.*\//, '').replace(/\.js$/, '')

type Compare = (a: DiffSide, b: DiffSide, rules: TeamRules, strict?: boolean) => Promise<DiffReport>

/** Returns a function that compares two manifests in a worker; it rejects with an AppError on failure. */
function createCompare(load: LoadPart): Compare {
  const send = createWorkerClient<ExportDiffRequest, DiffReply>(
    async () => {
      const program = new Blob([await load<string>(workerPart)], { type: 'text/javascript' })
      return new Worker(URL.createObjectURL(program))
    },
    timeoutMs,
    { failed: 'it took too long' },
  )
  return async (a, b, rules, strict = false) => {
    const reply = await send({ a, b, rules, strict })
    if ('report' in reply) return reply.report
    throw new AppError('internal', `The comparison failed: ${reply.failed}`)
  }
}
