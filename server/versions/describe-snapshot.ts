/** Hashes a manifest and adds its origin before it is stored; finds the version that a call was made with. */

import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { formatReference } from '../../core/manifest/reference.ts'
import { type SnapshotCause, snapshotManifest } from '../../core/manifest/snapshot.ts'
import type { Manifest, ManifestTool } from '../../core/tool/tool.ts'
import type { SourceRegistry } from '../catalog/source-registry.ts'
import type { HashedManifest, HashedTool, NewSnapshot } from '../store/snapshot-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { turns } from '../workers/run-slices.ts'
import { type GitAsker, gitRevision } from './git-repository.ts'

/** Throws AppError `manifest-unrecognised` if the manifest cannot be stored. */
export async function describeSnapshot(
  sources: SourceRegistry,
  source: string,
  manifest: Manifest,
  cause: SnapshotCause,
  asker: GitAsker,
): Promise<NewSnapshot> {
  const hashed = await hashManifest(manifest)
  const time = new Date().toISOString()
  const version = plainText(sources.find(source)?.session?.about?.().serverInfo?.version)
  return {
    source,
    manifest: hashed,
    time,
    cause,
    ...(version === undefined ? {} : { version }),
    git: () => gitRevision(sources.find(source)?.session?.watch ?? [], asker),
  }
}

/** Returns untrusted text as one short line. */
function plainText(text: string | undefined): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text?.replace(/[\u0000-\u001f]+/g, ' ').slice(0, 200)
}

/** Characters of canonical text; a larger manifest has no versions. */
const maxCharacters = 256 * 1024 * 1024

/** An unchanged list is the same object when it is read again. */
const hashes = new WeakMap<Manifest, Promise<HashedManifest>>()

/** Throws AppError `manifest-unrecognised` if the manifest is nested too deeply for text, or larger than 256 MiB. */
export function hashManifest(read: Manifest): Promise<HashedManifest> {
  let hashed = hashes.get(read)
  if (hashed === undefined) {
    hashed = hashAll(read)
    hashes.set(read, hashed)
    hashed.catch(() => hashes.delete(read))
  }
  return hashed
}

async function hashAll(read: Manifest): Promise<HashedManifest> {
  const manifest = snapshotManifest(read)
  const { tools, ...rest } = manifest
  const seen = new Map<string, number>()
  const hashed: HashedTool[] = []
  const whole = createHash('sha256')
  const factsHash = hashText(toCanonicalText(rest))
  whole.update(factsHash)
  let characters = 0
  const turn = turns()
  // The current turn has already read the list.
  await setImmediate()
  for (const tool of tools) {
    await turn()
    const occurrence = seen.get(tool.name) ?? 0
    seen.set(tool.name, occurrence + 1)
    const text = toCanonicalText(tool)
    characters += text.length
    if (characters > maxCharacters)
      throw new AppError('manifest-unrecognised', 'the manifest is too large to keep versions of it')
    const hash = hashText(text)
    whole.update(hash)
    hashed.push({ name: tool.name, occurrence, hash })
  }
  return { manifest, tools: hashed, factsHash, hash: whole.digest('hex') }
}

function toCanonicalText(part: ManifestTool | object): string {
  try {
    return canonicalJson(part)
  } catch (thrown) {
    // A schema of thousands of levels overflows the stack.
    throw new AppError(
      'manifest-unrecognised',
      `a part of the manifest has no text: ${toErrorMessage(thrown)}`,
    )
  }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export interface SourceSnapshots {
  /**
   * Returns the reference of the current version, like `acme@3`; undefined if no version can be kept. Never rejects.
   */
  referenceOf(source: string): Promise<string | undefined>
}

/** For a command: keeps the manifest of a source in the store when one of its tools is called for the first time. */
export function snapshotsOfCalls(sources: SourceRegistry, store: Store, asker: GitAsker): SourceSnapshots {
  const referenceByManifest = new Map<Manifest, Promise<string | undefined>>()
  const keep = async (source: string, manifest: Manifest) => {
    const described = await describeSnapshot(sources, source, manifest, 'opened', asker)
    const { snapshot } = await storedSnapshots(store).add(described)
    return formatReference(snapshot)
  }
  return {
    referenceOf(source) {
      const manifest = sources.find(source)?.manifest
      if (manifest === undefined || manifest.incomplete !== undefined || store.status().state !== 'ready')
        return Promise.resolve(undefined)
      // The store reports its own errors; the call goes on.
      const reference = referenceByManifest.get(manifest) ?? keep(source, manifest).catch(() => undefined)
      referenceByManifest.set(manifest, reference)
      return reference
    },
  }
}
