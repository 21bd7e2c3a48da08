/** A manifest as canonical text: each tool and the rest of it, with their hashes. */
import { createHash } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { canonicalJson } from '../../core/json/equality.ts'
import { snapshotManifest } from '../../core/snapshot/snapshot.ts'
import type { Manifest, ManifestTool } from '../../core/tool/tool.ts'
import type { HashedManifest, HashedTool } from '../store/snapshot-store.ts'

/** Of canonical text; a larger manifest has no versions. */
const MAX_CHARACTERS = 256 * 1024 * 1024
/** How long hashing may hold the thread before others get a turn. */
const TURN_MS = 10

/** Throws AppError `manifest-unrecognised` for what has no text: nested too deeply, or larger than 256 MiB. */
export async function hashManifest(read: Manifest): Promise<HashedManifest> {
  const manifest = snapshotManifest(read)
  const { tools, ...rest } = manifest
  const seen = new Map<string, number>()
  const hashed: HashedTool[] = []
  const whole = createHash('sha256')
  const factsHash = hashText(textOf(rest))
  whole.update(factsHash)
  let characters = 0
  // The list was read in the turn that is now.
  let turn = Number.NEGATIVE_INFINITY
  for (const tool of tools) {
    if (performance.now() - turn > TURN_MS) {
      await new Promise(resolve => setImmediate(resolve))
      turn = performance.now()
    }
    const occurrence = seen.get(tool.name) ?? 0
    seen.set(tool.name, occurrence + 1)
    const text = textOf(tool)
    characters += text.length
    if (characters > MAX_CHARACTERS)
      throw new AppError('manifest-unrecognised', 'the manifest is too large to keep versions of it')
    const hash = hashText(text)
    whole.update(hash)
    hashed.push({ name: tool.name, occurrence, hash })
  }
  return { manifest, tools: hashed, factsHash, hash: whole.digest('hex') }
}

function textOf(part: ManifestTool | object): string {
  try {
    return canonicalJson(part)
  } catch (thrown) {
    // A schema of thousands of levels overflows the stack.
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    throw new AppError('manifest-unrecognised', `a part of the manifest has no text: ${reason}`)
  }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
