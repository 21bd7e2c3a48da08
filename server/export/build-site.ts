/** The files of an export, by their paths. */
import { createHash } from 'node:crypto'
import { partScript } from '../../core/api/site.ts'
import { changelogParts, type ExportedVersions } from '../../core/api/site-changelogs.ts'
import { catalogPart, detailParts } from '../../core/api/site-parts.ts'
import { versionParts } from '../../core/api/site-versions.ts'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { version } from '../process/version.ts'
import { indexHtml, readBuiltPage } from './page-files.ts'
import type { SiteFiles } from './site-folder.ts'

/**
 * @param versions what is kept of the sources' manifests, newest first
 * @param rules of the comparisons that the site makes
 * @param hasChangelogs whether what they changed is part of the export
 */
export async function buildSite(
  catalog: Catalog,
  versions: readonly ExportedVersions[],
  rules: TeamRules,
  hasChangelogs = false,
): Promise<SiteFiles> {
  const { files: pageFiles, names, worker } = await readBuiltPage()
  const tools = catalog.tools.browse().tools.map(({ ref }) => catalog.tools.detail(ref))
  const sources = catalog.sources.list()
  const details = detailParts(tools)
  const program = { name: worker.name, json: JSON.stringify(worker.program) }
  const changelogs = hasChangelogs ? await changelogParts(versions, rules) : undefined
  const parts = [...details.parts, ...versionParts(versions, rules), ...(changelogs?.parts ?? []), program]
  const comparable = versions.reduce((count, source) => count + source.versions.length, 0) > 1
  const rest = {
    version,
    folder: '',
    chunkStarts: details.chunkStarts,
    comparable,
    ...(changelogs && { changelogs: versions.map(({ source }) => source) }),
  }
  const hash = createHash('sha256').update(catalogPart(sources, tools, rest).json)
  for (const { json } of parts) hash.update(json)
  // Another content is another folder: a cache never mixes two exports.
  const folder = `data/${hash.digest('hex').slice(0, 12)}`
  const first = catalogPart(sources, tools, { ...rest, folder })
  const files = new Map<string, string | Uint8Array>([...pageFiles, ...(changelogs?.feeds ?? [])])
  for (const { name, json } of [...parts, first]) files.set(`${folder}/${name}.js`, partScript(name, json))
  files.set('index.html', indexHtml({ ...names, catalog: `${folder}/${first.name}.js` }))
  return files
}
