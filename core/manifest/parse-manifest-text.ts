import { AppError } from '../errors.ts'
import { describeJsonMistake } from '../json/json-mistake.ts'
import type { Manifest } from '../tool/tool.ts'
import { readManifest } from './read-manifest.ts'

/**
 * Parses a manifest from text. Throws AppError `manifest-not-json` with the position of the mistake and the start of
 * the text, or `manifest-unrecognised` as readManifest does.
 *
 * @param name of the text in an error: its file name
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
