/** The changelogs of an export. The export writes them, and the page loads one per source. */

import { rulesOptions, type TeamRules } from '../diff/team-rules.ts'
import type { ChangelogEntry } from '../report/changelog.ts'
import { feedChangelog } from '../report/changelog-render.ts'
import { makeChangelog } from '../report/make-changelog.ts'
import { changelogName, type SiteChangelog } from './site.ts'
import type { SitePart } from './site-parts.ts'
import { cleanManifestTool, type ReadVersion } from './site-versions.ts'
import type { VersionKind } from './versions.ts'

/** The limit for one version. It is higher than what a page shows, because removed and renamed tools count too. */
const maxBreaks = 60

export interface ExportedVersions {
  readonly source: string
  /** Newest first. */
  readonly versions: readonly ReadVersion[]
  /** Kinds with older versions that are not exported. */
  readonly hasOlder: ReadonlySet<VersionKind>
}

/** @returns the parts in the order of the sources, and the feeds by their paths */
export async function changelogParts(
  sources: readonly ExportedVersions[],
  rules: TeamRules,
): Promise<{
  readonly parts: readonly SitePart[]
  readonly feeds: ReadonlyMap<string, string>
}> {
  const parts: SitePart[] = []
  const feeds = new Map<string, string>()
  for (const each of sources) {
    const kinds = await buildChangelogKinds(each, rules)
    const feed = feedPath(each.source, feeds)
    feeds.set(feed, feedChangelog({ title: each.source, entries: kinds[0]?.entries ?? [], older: 0 }))
    const changelog: SiteChangelog = { kinds, feed }
    parts.push({ name: changelogName(parts.length), json: JSON.stringify(changelog) })
  }
  return { parts, feeds }
}

/** Commits come first if only one version is stored, as in the changelog of an open source. */
async function buildChangelogKinds(
  { versions, hasOlder }: ExportedVersions,
  rules: TeamRules,
): Promise<SiteChangelog['kinds']> {
  const kinds: { kind: VersionKind; entries: readonly ChangelogEntry[] }[] = []
  for (const kind of ['snapshot', 'git'] as const) {
    const ofKind = versions.filter(({ version }) => version.kind === kind).reverse()
    if (ofKind.length === 0) continue
    // The same sides that the page of the export compares, so that the changelog reveals no field that the export
    // omits.
    const sides = ofKind.map(({ version, manifest: { tools, instructions } }) => ({
      reference: version.reference,
      name: version.name,
      time: version.time,
      note: [...version.labels, version.subject].filter(Boolean).join(' · ') || undefined,
      side: {
        tools: tools.map(cleanManifestTool),
        ...(instructions === undefined ? {} : { instructions }),
      },
    }))
    kinds.push({
      kind,
      entries: await makeChangelog(sides, {
        hasOlder: hasOlder.has(kind),
        maxBreaks,
        ...rulesOptions(rules),
      }),
    })
  }
  const [first, second] = kinds
  const isOnlyOne = first?.kind === 'snapshot' && first.entries.length < 2
  return first && second && isOnlyOne ? [second, first] : kinds
}

const maxNameCharacters = 80

/** Every source gets its own file, also on a case-insensitive disk. */
function feedPath(source: string, taken: ReadonlyMap<string, string>): string {
  const word =
    source
      .toLowerCase()
      .replaceAll(/[^\w-]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, maxNameCharacters) || 'source'
  for (let count = 1; ; count++) {
    const path = `changelog/${word}${count === 1 ? '' : `-${count}`}.json`
    if (!taken.has(path)) return path
  }
}
