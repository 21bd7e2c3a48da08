/** The versions of a source and of a tool, and their labels. */
import { mayOpenSources, type ServerMode } from '../../../core/api/rights.ts'
import {
  type DiffAnswer,
  diffEndpoints,
  type GivenSide,
  versionEndpoints,
} from '../../../core/api/versions.ts'
import type { TeamRules } from '../../../core/diff/team-rules.ts'
import { AppError } from '../../../core/errors.ts'
import { isLabel } from '../../../core/manifest/reference.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { SourceContext } from '../../sources/source.ts'
import type { CompareSides } from '../../versions/diff-service.ts'
import type { KnownSnapshots } from '../../versions/lazy-snapshots.ts'
import { memorySnapshots } from '../../versions/memory-snapshots.ts'
import { readManifestFile, readReference } from '../../versions/read-reference.ts'
import { recentChanges } from '../../versions/recent-changes.ts'
import type { SnapshotRecorder } from '../../versions/snapshot-recorder.ts'
import type { SourceChangelogs } from '../../versions/source-changelog.ts'
import { sourceTimeline, type TimelineSources } from '../../versions/source-timeline.ts'
import { toolTimeline } from '../../versions/tool-timeline.ts'
import { otherRoute, serve } from '../serve-endpoints.ts'

/** The number of versions in the answer to a label change. */
const listedVersions = 30

export function versionRoutes(
  catalog: Catalog,
  versions: SnapshotRecorder,
  changelogs: SourceChangelogs,
  mode: ServerMode,
) {
  const empty = memorySnapshots()
  /** The store may hold versions of other projects. Where sources are fixed, only those of the catalog exist. */
  const exists = (source: string) =>
    mayOpenSources(mode) || catalog.sources.list().some(({ name }) => name === source)
  const storeFor = (source: string) => (exists(source) ? versions.store : empty)
  const partsFor = (source: string): TimelineSources => {
    const parts = versions.sourcesOf(source)
    if (exists(source)) return parts
    // The recorder knows every source: neither the commits of a hidden one nor its current list may be in the answer.
    const { counts, asker } = parts
    return { store: empty, counts, asker }
  }
  const readTimeline = (source: string, limit: number) => sourceTimeline(source, limit, partsFor(source))
  return serve(versionEndpoints, {
    'GET /api/sources/{name}/versions': ({ params, query }) => readTimeline(params.name, query.limit),
    'GET /api/sources/{name}/changelog': ({ params, query }) =>
      changelogs.pageOf(params.name, query, partsFor(params.name)),
    'PUT /api/sources/{name}/versions/{number}/labels/{label}': async ({
      params: { name, number, label },
    }) => {
      if (!isLabel(label))
        throw new AppError('request-invalid', `"${label}" cannot be a label`, {
          hint: 'A label holds letters, digits, ".", "_", "+" and "-", and is not a number or a date.',
        })
      await storeFor(name).setLabel(name, number, label)
      return readTimeline(name, listedVersions)
    },
    'DELETE /api/sources/{name}/labels/{label}': async ({ params: { name, label } }) => {
      await storeFor(name).removeLabel(name, label)
      return readTimeline(name, listedVersions)
    },
    'GET /api/changes': async ({ query }) => {
      const names = catalog.sources.list().map(({ name }) => name)
      return { changes: await recentChanges(versions, names, query.looked, Date.now()) }
    },
    'GET /api/tools/{+ref}/versions': ({ params, query }) => {
      // A tool may be named `…/versions`, and the slashes of its reference may be unencoded.
      if (catalog.tools.has(`${params.ref}/versions`)) return otherRoute
      const { source, name } = catalog.callTarget(params.ref).tool
      return toolTimeline(source, name, query.limit, versions.sourcesOf(source))
    },
  })
}

/**
 * Compares two references by the rules of toolscope.json. It never starts a program, because the URL may be a link from
 * an attacker. Where sources cannot be opened, it reads only what belongs to the sources.
 */
export const diffRoutes = (
  catalog: Catalog,
  context: SourceContext,
  versions: KnownSnapshots,
  compare: CompareSides,
  readRules: () => Promise<TeamRules>,
  mode: ServerMode,
) => {
  const scope = mayOpenSources(mode) ? 'files' : 'sources'
  const answer = async (a: GivenSide, b: GivenSide, strict = false, signal: AbortSignal) => {
    const options = { catalog, context, versions, signal, scope } as const
    const read = async (given: GivenSide): Promise<DiffAnswer['a']> => {
      const { problems: _, ...side } =
        'text' in given
          ? readManifestFile(given.name, given.text)
          : await readReference(given.reference, options)
      return side
    }
    const [before, after, rules] = await Promise.all([read(a), read(b), readRules()])
    return compare(before, after, { strict, rules, signal })
  }
  return serve(diffEndpoints, {
    'GET /api/diff': ({ query: { a, b, strict }, signal }) =>
      answer({ reference: a }, { reference: b }, strict, signal),
    'POST /api/diff': ({ body: { a, b, strict }, signal }) => answer(a, b, strict, signal),
  })
}
