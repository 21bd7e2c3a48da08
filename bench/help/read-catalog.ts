/** Reads the manifests of a folder as one catalog: each JSON file is a source, named after the file. */
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import type { Tool } from '../../core/tool/tool.ts'

/** Returns every tool of every file, in the order of the file names. Throws if a file is not a manifest. */
export async function readCatalog(folder: string): Promise<Tool[]> {
  const files = (await readdir(folder)).filter(name => name.endsWith('.json')).sort()
  const lists = await Promise.all(files.map(file => readSource(join(folder, file))))
  return lists.flat()
}

async function readSource(path: string): Promise<Tool[]> {
  const source = basename(path, '.json')
  const { tools } = parseManifestText(await readFile(path, 'utf8'))
  return tools.map((tool, index) => ({
    ...tool,
    ref: `${source}/${tool.name}~${index}`,
    source,
    index,
    callable: true,
  }))
}
