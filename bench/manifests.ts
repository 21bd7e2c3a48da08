/** Reads folders of manifests. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseManifestText } from '../core/manifest/read-manifest.ts'
import type { Tool } from '../core/tool/tool.ts'

export interface ManifestText {
  readonly name: string
  readonly text: string
}

/** @param folder of manifests; if it is empty, the repository's own are read, relative to the working directory */
export function readManifestTexts(folder: string): ManifestText[] {
  const read = (name: string, path: string) => ({ name, text: readFileSync(path, 'utf8') })
  if (folder !== '')
    return readdirSync(folder).flatMap(name =>
      name.endsWith('.json') ? [read(name, join(folder, name))] : [],
    )
  const acme = execFileSync(process.execPath, ['examples/acme/acme.mjs', '--llms'], { encoding: 'utf8' })
  const own = ['bench/forms/constructs.json', 'examples/functions/functions.json']
  return [{ name: 'acme', text: acme }, ...own.map(path => read(path, path))]
}

/** Returns every tool of a folder as one catalog: each file is a source. Throws if a file is not a manifest. */
export function readCatalog(folder: string): Tool[] {
  return readManifestTexts(folder).flatMap(({ name, text }) => {
    const source = name.replace(/\.json$/, '')
    return parseManifestText(text).tools.map((tool, index) => ({
      ...tool,
      ref: `${source}/${tool.name}~${index}`,
      source,
      index,
      callable: true,
    }))
  })
}
