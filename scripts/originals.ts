/** What the original programs print, as it lies beside the project: test data that is never part of it. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * The folder `name` of `../shared/data/originals`, or of the folder that TOOLSCOPE_ORIGINALS names. Null where there is
 * none: give that to `test.skipIf`.
 */
export function originalsFolder(name: 'fireargs' | 'llm-functions' | 'scripted-tool'): string | null {
  const beside = fileURLToPath(new URL('../../shared/data/originals', import.meta.url))
  const folder = `${process.env.TOOLSCOPE_ORIGINALS ?? beside}/${name}`
  return existsSync(folder) ? folder : null
}
