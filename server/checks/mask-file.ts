/** Reads the mask file of a comparison. */
import { readFile } from 'node:fs/promises'
import { type Mask, readMasks } from '../../core/checks/masks.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'

/** The default mask file, in the folder of toolscope.json. */
export const maskFileName = 'toolscope.masks.json'

/**
 * Reads the masks of a file. Throws AppError `config-invalid` if it cannot be read. Returns undefined for a missing
 * file unless `isDemanded`.
 */
export async function readMaskFile(path: string, isDemanded: boolean): Promise<readonly Mask[] | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (thrown) {
    if (!isDemanded && (thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw broken(path, toErrorMessage(thrown))
  }
  const reading = readMasks(text)
  if (reading.ok) return reading.masks
  throw broken(path, reading.message)
}

const broken = (path: string, message: string) =>
  new AppError('config-invalid', `${path} is not a mask file: ${message}`, {
    hint: 'For example: {"masks":[{"path":"/**/id"}]}. docs/compare.md says what else it may hold.',
  })
