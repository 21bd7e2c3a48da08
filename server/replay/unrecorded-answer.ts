/** Answers to requests that a recording does not contain, from what its other lines say about the server. */
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { isObject, own } from '../../core/json/json.ts'
import { readManifest } from '../../core/manifest/read-manifest.ts'
import type { SnapshotManifest } from '../../core/manifest/snapshot.ts'
import { parseLock, readStoredManifest } from '../../core/manifest/version-files.ts'
import type { Manifest, ManifestTool } from '../../core/tool/tool.ts'
import type { ReplayKey } from '../../core/wire/replay-key.ts'
import type { RecordingIndex } from './recording-index.ts'

const usualProtocol = '2025-11-25'

/** Returns a result; undefined if the recording says nothing about it. */
export async function unrecordedAnswer(
  index: RecordingIndex,
  { method, params }: ReplayKey,
): Promise<object | undefined> {
  const {
    protocol = usualProtocol,
    capabilities = { tools: {} },
    instructions,
    name,
    serverInfo,
  } = index.source
  const server = serverInfo ?? { name, version: 'recorded' }
  const described = { capabilities, ...(instructions !== undefined && { instructions }) }
  switch (method) {
    case 'ping':
    case 'logging/setLevel':
      return {}
    case 'initialize':
      return index.isModern ? undefined : { protocolVersion: protocol, serverInfo: server, ...described }
    case 'server/discover':
      return index.isModern
        ? {
            resultType: 'complete',
            supportedVersions: [protocol],
            ...described,
            ...notCached,
            _meta: { 'io.modelcontextprotocol/serverInfo': server },
          }
        : undefined
    case 'tools/list':
      // A page that the recording does not have must not start the list again.
      if (own(params, 'cursor') !== undefined) return undefined
      return {
        tools: ((await readRecordedManifest(index))?.tools ?? calledTools(index)).map(toEntry),
        ...cached(index),
      }
    // The client that was recorded did not ask for these, so their entries are unknown.
    case 'prompts/list':
      return { prompts: [], ...cached(index) }
    case 'resources/list':
      return { resources: [], ...cached(index) }
    case 'resources/templates/list':
      return { resourceTemplates: [], ...cached(index) }
    default:
      return undefined
  }
}

const cached = ({ isModern }: RecordingIndex) => (isModern ? { resultType: 'complete', ...notCached } : {})

const notCached = { ttlMs: 0, cacheScope: 'private' }

/** Returns the recording's own list; undefined if it has none. Throws AppError `recording-invalid` if it cannot be read. */
export async function readRecordedManifest(index: RecordingIndex): Promise<Manifest | undefined> {
  const recorded = await index.manifest()
  if (recorded === undefined) return undefined
  try {
    const stored = readLocked(recorded, index.source.name) ?? readStoredManifest(recorded)
    return stored === undefined ? readManifest(recorded) : { ...stored, problems: [] }
  } catch (thrown) {
    throw new AppError('recording-invalid', `${index.file}: its list of tools: ${toErrorMessage(thrown)}`)
  }
}

/** Returns the list of a source in the form of a lock file, which `toolscope record` writes; undefined for another form. */
function readLocked(recorded: unknown, name: string): SnapshotManifest | undefined {
  if (!isObject(recorded) || own(recorded, 'lockVersion') === undefined) return undefined
  const sources = parseLock(JSON.stringify(recorded), 'the list')
  // A source that was renamed while it was recorded has its first name in the list.
  const found = sources.get(name) ?? (sources.size === 1 ? [...sources.values()][0] : undefined)
  if (found !== undefined) return found
  throw new AppError('manifest-unrecognised', `the list does not contain "${name}"`)
}

/** Returns the tools that were called, with any input. */
export function calledTools({ calledTools }: RecordingIndex): readonly ManifestTool[] {
  return calledTools.map(name => ({ name, inputSchema: { type: 'object' } }))
}

function toEntry({ extra = {}, writtenSchemas: _, ...tool }: ManifestTool): object {
  return { ...(isObject(extra) ? extra : {}), ...tool }
}
