/** The files of an export, by their paths. */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { partScript } from '../../core/api/site.ts'
import { changelogParts, type ExportedVersions } from '../../core/api/site-changelogs.ts'
import { catalogPart, detailParts } from '../../core/api/site-parts.ts'
import { type ReadVersion, versionParts } from '../../core/api/site-versions.ts'
import type { ScoreList } from '../../core/checks/generated-checks.ts'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import { AppError } from '../../core/errors.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { version } from '../process/version.ts'
import type { SnapshotRecorder } from '../versions/snapshot-recorder.ts'
import { gitVersions, readStoredVersions, sourceTimeline } from '../versions/source-timeline.ts'
import type { SiteFiles } from './site-folder.ts'

/**
 * @param versions the kept versions of the sources' manifests, newest first
 * @param rules of the comparisons that the site makes
 * @param hasChangelogs whether changelogs are part of the export
 * @param scores of the tools, from generated checks
 */
export async function buildSite(
  catalog: Catalog,
  versions: readonly ExportedVersions[],
  rules: TeamRules,
  hasChangelogs = false,
  scores?: ScoreList,
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
    ...(scores && scores.tools.length > 0 && { scores }),
    ...(changelogs && { changelogs: versions.map(({ source }) => source) }),
  }
  const hash = createHash('sha256').update(catalogPart(sources, tools, rest).json)
  for (const { json } of parts) hash.update(json)
  // A new folder name for new content, so that a cache never mixes two exports.
  const folder = `data/${hash.digest('hex').slice(0, 12)}`
  const first = catalogPart(sources, tools, { ...rest, folder })
  const files = new Map<string, string | Uint8Array>([...pageFiles, ...(changelogs?.feeds ?? [])])
  for (const { name, json } of [...parts, first]) files.set(`${folder}/${name}.js`, partScript(name, json))
  files.set('index.html', indexHtml({ ...names, catalog: `${folder}/${first.name}.js` }))
  return files
}

/* The built page of an export, as shipped with the program. */

interface BuiltPage {
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly names: Omit<PageFiles, 'catalog'>
  /** The program of the comparison worker, which the page loads as a part of the data. */
  readonly worker: { readonly name: string; readonly program: string }
}

async function readBuiltPage(): Promise<BuiltPage> {
  const root = fileURLToPath(new URL('../export', import.meta.url))
  const names = await readdir(join(root, 'assets')).catch(() => [])
  const find = (pattern: RegExp) => {
    const name = names.find(each => pattern.test(each))
    if (name !== undefined) return `assets/${name}`
    throw new AppError('internal', `the page of an export is missing from this installation (${root})`, {
      hint: 'From a checkout: npm run build.',
    })
  }
  const found = {
    theme: find(/^theme-.*\.js$/),
    style: find(/^style-.*\.css$/),
    script: find(/^page-.*\.js$/),
  }
  const worker = find(/^diff\.worker-.*\.js$/)
  const paths = [...Object.values(found), 'favicon.svg']
  const contents = await Promise.all(paths.map(path => readFile(join(root, path))))
  return {
    files: new Map(paths.map((path, at) => [path, contents[at] ?? Buffer.alloc(0)])),
    names: found,
    worker: {
      name: worker.replace(/^.*\//, '').replace(/\.js$/, ''),
      program: await readFile(join(root, worker), 'utf8'),
    },
  }
}

/**
 * Returns the only page of an export. All its addresses are relative, so it works in any folder of any host, and from a
 * disk.
 */

/**
 * The live page's policy without connections, which an export does not need. The comparison worker is made from a blob,
 * because a browser cannot load a worker file from a folder on disk.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  'worker-src blob:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

interface PageFiles {
  readonly theme: string
  readonly style: string
  readonly script: string
  /** The first part of the data. */
  readonly catalog: string
}

function indexHtml({ theme, style, script, catalog }: PageFiles): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="referrer" content="no-referrer" />
    <meta name="description" content="A catalog of agent tools, exported by Toolscope." />
    <link rel="icon" href="./favicon.svg" type="image/svg+xml" />
    <script src="./${theme}"></script>
    <link rel="stylesheet" href="./${style}" />
    <script defer src="./${catalog}"></script>
    <script defer src="./${script}"></script>
    <title>Toolscope</title>
  </head>
  <body>
    <div id="root"></div>
    <noscript>This catalog is drawn by a script.</noscript>
  </body>
</html>
`
}

/**
 * Returns the versions newest first, at most `limit` of each kind. A version that cannot be read as a manifest is left
 * out.
 */
export async function readVersions(
  catalog: Catalog,
  versions: SnapshotRecorder | undefined,
  limit: number,
): Promise<readonly ExportedVersions[]> {
  if (versions === undefined) return []
  const read: ExportedVersions[] = []
  for (const { name } of catalog.sources.list()) {
    const from = versions.sourcesOf(name)
    const [list, stored, committed] = await Promise.all([
      sourceTimeline(name, limit, from),
      readStoredVersions(name, from),
      gitVersions(limit + 1, from),
    ])
    const known = new Map([...stored, ...committed].map(each => [each.version.reference, each] as const))
    const found: ReadVersion[] = []
    for (const version of list.versions) {
      const manifest = await known
        .get(version.reference)
        ?.manifest()
        .catch(() => null)
      if (manifest) found.push({ version, manifest })
    }
    const hasOlder = new Set([
      ...(stored.length > limit ? (['snapshot'] as const) : []),
      ...(committed.length > limit ? (['git'] as const) : []),
    ])
    read.push({ source: name, versions: found, hasOlder })
  }
  return read
}
