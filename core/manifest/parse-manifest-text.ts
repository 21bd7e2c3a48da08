import { AppError } from '../errors.ts'
import { describeJsonMistake } from '../json/json-mistake.ts'
import type { Manifest } from '../tool/tool.ts'
import { readManifest } from './read-manifest.ts'

/**
 * Reads a manifest from text. Throws AppError `manifest-not-json`, which says where the mistake is and how the text
 * starts, or `manifest-unrecognised` as readManifest does.
 *
 * @param name what the text is called in an error: the name of its file
 */
export function parseManifestText(text: string, name = 'The text'): Manifest {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (cause) {
    throw new AppError('manifest-not-json', describeJsonMistake(json, name), { cause })
  }
  return readManifest(parsed)
}
