/** Finds the output of the original programs, which is test data outside the project. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Returns the folder `name` of `../shared/data/originals`, or of the folder in TOOLSCOPE_ORIGINALS. Null if it does not
 * exist: pass that to `test.skipIf`.
 */
export function originalsFolder(name: 'fireargs' | 'llm-functions' | 'scripted-tool'): string | null {
  const nextToClone = fileURLToPath(new URL('../../shared/data/originals', import.meta.url))
  const folder = `${process.env.TOOLSCOPE_ORIGINALS ?? nextToClone}/${name}`
  return existsSync(folder) ? folder : null
}
