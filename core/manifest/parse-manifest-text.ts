import { visit } from 'jsonc-parser'
import { AppError } from '../errors.ts'
import type { Manifest } from '../tool/tool.ts'
import { readManifest } from './read-manifest.ts'

/**
 * Reads a manifest from text. Throws AppError `manifest-not-json` with the place of the mistake and the beginning
 * of what came, or `manifest-unrecognised` as readManifest does.
 */
export function parseManifestText(text: string): Manifest {
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch (cause) {
    const detail =
      json.trim() === '' ? 'Nothing came.' : `${locateMistake(json)} It begins: ${beginning(json)}`
    throw new AppError('manifest-not-json', detail, { cause })
  }
  return readManifest(parsed)
}

/** The first 200 characters on one line, without what could steer a terminal. */
function beginning(text: string): string {
  return text
    .trimStart()
    .slice(0, 200)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trimEnd()
}

class Found extends Error {}

/** JSON.parse does not always say where it stopped, so the text is read once more. */
function locateMistake(text: string): string {
  let place = ''
  try {
    visit(
      text,
      {
        onError: (_code, offset, _length, line, column) => {
          place = `The JSON breaks off at line ${line + 1}, column ${column + 1} (character ${offset}).`
          throw new Found()
        },
      },
      { disallowComments: true },
    )
  } catch (thrown) {
    // A RangeError: nested too deep for the reader. The beginning of the text must do.
    if (!(thrown instanceof Found) && !(thrown instanceof RangeError)) throw thrown
  }
  return place
}
