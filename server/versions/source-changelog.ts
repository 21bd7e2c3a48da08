/** Makes the changelog of an open source, page by page. */
import { LRUCache } from 'lru-cache'
import type { ChangelogPage, ChangelogQuery, VersionKind } from '../../core/api/versions.ts'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import { AppError } from '../../core/errors.ts'
import type { ChangelogEntry } from '../../core/report/changelog.ts'
import { workerFile } from '../workers/worker-file.ts'
import { WorkerError, WorkerPool } from '../workers/worker-pool.ts'
import type { ChangelogRequest } from './changelog-worker.ts'
import {
  type ChosenVersions,
  chooseVersions,
  isCalled,
  type ListedVersion,
  listedVersion,
} from './choose-versions.ts'
import { gitVersions, readStoredVersions, type TimelineSources } from './source-timeline.ts'

/** At most this many commits of a file are read. */
const maxCommits = 2_000
/** How many pages are cached, of all sources. */
const maxPages = 50

type Content = Pick<ChangelogPage, 'entries' | 'unreadable'>

export interface SourceChangelogs {
  /** Throws AppError `snapshot-not-found` if the version of the cursor does not exist. */
  pageOf(source: string, query: ChangelogQuery, from: TimelineSources): Promise<ChangelogPage>
}

/**
 * Versions never change, so a page of the same versions is made once for the same rules.
 *
 * @param readRules reads the current rules of every comparison
 */
export function createSourceChangelogs(
  make: MakeEntries,
  readRules: () => Promise<TeamRules>,
): SourceChangelogs {
  const pages = new LRUCache<string, Promise<Content>>({ max: maxPages })
  return {
    async pageOf(source, { limit, kind: wanted, cursor }, from) {
      const lists = await readVersionLists(source, from)
      const kinds = [...lists.keys()]
      const kind = wanted ?? preferredKind(lists)
      const rest = after(cursor, lists.get(kind) ?? [])
      const rules = await readRules()
      const key = JSON.stringify([toContentKey(rest.slice(0, limit + 1), limit), rules])
      let page = pages.get(key)
      if (page === undefined) {
        page = buildContent(rest, limit, chosen => make(chosen, rules))
        pages.set(key, page)
        page.catch(() => pages.delete(key))
      }
      const last = rest.length > limit ? rest[limit - 1] : undefined
      return { kind, kinds, ...(await page), ...(last ? { nextCursor: last.reference } : {}) }
    },
  }
}

/** Returns the versions newest first; only kinds that the source has versions of. */
async function readVersionLists(
  source: string,
  from: TimelineSources,
): Promise<ReadonlyMap<VersionKind, readonly ListedVersion[]>> {
  const [stored, committed] = await Promise.all([
    readStoredVersions(source, from),
    gitVersions(maxCommits, from),
  ])
  const lists = [['snapshot', stored] as const, ['git', committed] as const]
  return new Map(
    lists.flatMap(([kind, list]) => (list.length > 0 ? [[kind, list.map(listedVersion)] as const] : [])),
  )
}

/** A source that was opened for the first time has one kept version. Its commits show more. */
function preferredKind(lists: ReadonlyMap<VersionKind, readonly ListedVersion[]>): VersionKind {
  return (lists.get('snapshot')?.length ?? 0) < 2 && lists.has('git') ? 'git' : 'snapshot'
}

function after(cursor: string | undefined, list: readonly ListedVersion[]): readonly ListedVersion[] {
  if (cursor === undefined) return list
  const at = list.findIndex(version => isCalled(version, cursor))
  if (at < 0) throw new AppError('snapshot-not-found', `there is no version ${cursor} any more`)
  return list.slice(at + 1)
}

async function buildContent(
  list: readonly ListedVersion[],
  limit: number,
  make: (chosen: Parameters<MakeEntries>[0]) => ReturnType<MakeEntries>,
): Promise<Content> {
  const { versions, hasOlder, unreadable } = await chooseVersions(list, { limit })
  return { entries: await make({ versions, hasOlder }), unreadable }
}

/** Returns a key that changes with the versions of a page and with their labels. */
function toContentKey(versions: readonly ListedVersion[], limit: number): string {
  return JSON.stringify([limit, ...versions.map(({ reference, hash, note }) => [reference, hash, note])])
}

/** A safety net, as for a comparison (diff-service.ts): the work itself is limited in steps. */
const timeoutMs = 60_000
/** For the containment checks of one page. */
const maxSteps = 5_000_000
/** For one version. Higher than what a page shows, because removed and renamed tools count too. */
const maxBreaks = 60

/** Rejects with AppError `request-invalid` if it takes longer than a minute. */
export type MakeEntries = (
  chosen: Pick<ChosenVersions, 'versions' | 'hasOlder'>,
  rules: TeamRules,
) => Promise<readonly ChangelogEntry[]>

/**
 * Makes changelogs on a thread of its own, so that they delay neither the server nor the comparisons of the diff page.
 */
export function createChangelogService(): { readonly make: MakeEntries; close(): Promise<void> } {
  const pool = new WorkerPool<ChangelogRequest, ChangelogEntry[]>(workerFile('changelog-worker'), 1)
  return {
    async make({ versions, hasOlder }, rules) {
      try {
        return await pool.request(() => ({ versions, hasOlder, maxBreaks, steps: maxSteps, rules }), {
          timeoutMs,
        })
      } catch (thrown) {
        if (!(thrown instanceof WorkerError) || thrown.reason !== 'timeout') throw thrown
        throw new AppError('request-invalid', `the comparisons took longer than ${timeoutMs / 1000} s`, {
          hint: 'Run `toolscope changelog`, which has no limit.',
          cause: thrown,
        })
      }
    },
    close: () => pool.close(),
  }
}
