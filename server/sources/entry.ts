/** From what a user gave for a source (core/api/source-entry.ts) to a source that can be opened. */
import type { SourceEntry } from '../../core/api/source-entry.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { configuredSource, detectSource } from './index.ts'
import { manifestText } from './manifest-file.ts'
import type { SourceContext, SourceSpec } from './source.ts'

/**
 * Finds out what an entry names. Nothing is started; at most a file's head is read.
 * Throws AppError `source-not-found` or `source-unrecognised`, which say where we looked.
 *
 * @param name the one that the user chose; one is proposed where it is absent
 * @param formerNames of the source, the newest last
 */
export async function entrySource(
  entry: SourceEntry,
  name: string | undefined,
  context: SourceContext,
  formerNames: readonly string[] = [],
): Promise<SourceSpec> {
  const spec = await toSpec(entry, name, context)
  return { ...spec, origin: { from: 'page', entry, formerNames } }
}

async function toSpec(
  entry: SourceEntry,
  name: string | undefined,
  context: SourceContext,
): Promise<SourceSpec> {
  const { line, url, headers, text, directory, flags, subprograms } = entry
  const { timeoutMs, listTimeoutMs, background, environment, inherit } = entry
  const more = withoutUndefined({ timeoutMs, listTimeoutMs, background, environment, inherit })
  const settings = withoutUndefined({ ...more, name })
  if (text !== undefined) {
    const spec = manifestText(name ?? 'manifest', text)
    return { ...spec, settings: { ...spec.settings, ...settings } }
  }
  const written = line ?? url
  if (written !== undefined) return detectSource(written.trim(), context, { settings, directory, headers })
  const proposed = { ...more, name: name ?? 'source' }
  return configuredSource(entry, proposed, withoutUndefined({ flags, subprograms, directory }))
}
