/** The manifests that are changed. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface FuzzSource {
  readonly name: string
  readonly text: string
}

/** @param folder of manifests; without it the repository's own */
export function readSources(folder: string | undefined): FuzzSource[] {
  if (folder === undefined) return ownSources()
  const files = readdirSync(folder).filter(name => name.endsWith('.json'))
  return files.map(name => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
}

function ownSources(): FuzzSource[] {
  const acme = execFileSync(process.execPath, ['examples/acme/acme.mjs', '--llms'], { encoding: 'utf8' })
  return [
    { name: 'acme', text: acme },
    ...['bench/forms/constructs.json', 'examples/functions/functions.json'].map(name => ({
      name,
      text: readFileSync(name, 'utf8'),
    })),
  ]
}
