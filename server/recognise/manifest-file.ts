/** Source kind: a manifest in a JSON file of any documented shape. Its tools can be viewed, not called. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import { readHead } from '../llm-functions/tree-files.ts'
import { baseName, fileStatus } from '../process/command-line.ts'
import { decodeUtf8 } from '../process/stream-text.ts'
import { loneWord, type SourceKind, type SourceSpec } from '../sources/source.ts'

const maxFileBytes = 256 * 1024 * 1024

/** `manifest` is the path of the file, relative to the configuration's directory. */
export const manifestFile: SourceKind<{ readonly manifest: string }> = {
  kind: 'manifest-file',

  async detect(words, context) {
    const path = loneWord(words) ?? ''
    const full = resolve(context.directory, path)
    if (!fileStatus(full)?.isFile()) return null
    const looksLikeJson = path.endsWith('.json') || /^\s*[{[]/.test(readHead(full, 256))
    return looksLikeJson ? { manifest: path } : null
  },

  async open(config, _settings, context) {
    const path = resolve(context.directory, config.manifest)
    return {
      label: config.manifest,
      watch: [path],
      manifestPath: path,
      manifest: async () => parseManifestText(await readBounded(path), config.manifest),
      close: async () => {},
    }
  },
}

async function readBounded(path: string): Promise<string> {
  const status = fileStatus(path)
  if (status === null) throw new AppError('source-not-found', path)
  if (status.isDirectory())
    throw new AppError('source-unrecognised', `${path} is a directory; expected a JSON file`)
  if (status.size > maxFileBytes)
    throw new AppError(
      'source-failed',
      `${path} is ${Math.round(status.size / 1024 / 1024)} MiB; the limit is 256 MiB`,
    )
  try {
    return decodeUtf8(await readFile(path)).text
  } catch (cause) {
    throw new AppError('source-not-found', `${path} could not be read: ${toErrorMessage(cause)}`)
  }
}

/**
 * Returns a source for the text of a manifest.
 *
 * @param name of the source; for a dropped file, the file's name
 */
export function createTextSource(name: string, text: string): SourceSpec {
  const label = `${name} (pasted or dropped)`
  return {
    settings: { name: baseName(name) },
    kind: 'manifest-file',
    label,
    definition: text,
    open: async () => ({
      label,
      async manifest() {
        // Yields once, because the request with the text was parsed in the current turn of the event loop.
        await setImmediate()
        return parseManifestText(text, name)
      },
      close: async () => {},
    }),
  }
}
