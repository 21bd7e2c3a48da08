/** Converts a manifest to canonical text: each tool and everything else, with their hashes. */
import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { snapshotManifest } from '../../core/manifest/snapshot.ts'
import type { Manifest, ManifestTool } from '../../core/tool/tool.ts'
import type { HashedManifest, HashedTool } from '../store/snapshot-store.ts'
import { turns } from '../workers/run-slices.ts'

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
