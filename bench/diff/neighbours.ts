/** Manifests of a folder, each with the version before it. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseManifestText } from '../../core/manifest/parse-manifest-text.ts'
import type { Pair } from './measure.ts'

export async function neighbours(folder: string): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (const server of (await readdir(folder)).toSorted()) {
    const files = (await readdir(join(folder, server))).filter(name => name.endsWith('.json'))
    files.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    const versions = await Promise.all(
      files.map(async file => parseManifestText(await readFile(join(folder, server, file), 'utf8'))),
    )
    for (const [at, after] of versions.entries()) {
      const before = versions[at - 1]
      if (before) pairs.push({ name: `${server} ${files[at - 1]} → ${files[at]}`, before, after })
    }
  }
  return pairs
}
