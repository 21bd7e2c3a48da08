/** A manifest as canonical text: each tool and the rest of it, with their hashes. */
import { createHash } from 'node:crypto'
import { AppError } from '../../core/errors.ts'
import { type SnapshotManifest, snapshotManifest } from '../../core/snapshot/snapshot.ts'
import type { Manifest, ManifestTool } from '../../core/tool.ts'
import { canonicalJson } from '../canonical-json.ts'

/** Of canonical text; a larger manifest has no versions. */
const MAX_CHARACTERS = 256 * 1024 * 1024
/** How long hashing may hold the thread before others get a turn. */
const TURN_MS = 10

export interface HashedTool {
  readonly name: string
  /** 0 for the first tool of this name, 1 for the second. */
  readonly occurrence: number
  /** SHA-256 of `text`, hex. */
  readonly hash: string
  readonly text: string
}

export interface HashedManifest {
  readonly manifest: SnapshotManifest
  /** In the manifest's order. */
  readonly tools: readonly HashedTool[]
  /** What is not tools, and its hash. */
  readonly facts: { readonly hash: string; readonly text: string }
  readonly hash: string
}

/** Throws AppError `manifest-unrecognised` for what has no text: nested too deeply, or larger than 256 MiB. */
export async function hashManifest(read: Manifest): Promise<HashedManifest> {
  const manifest = snapshotManifest(read)
  const { tools, ...rest } = manifest
  const seen = new Map<string, number>()
  const hashed: HashedTool[] = []
  const whole = createHash('sha256')
  const facts = hashText(textOf(rest))
  whole.update(facts.hash)
  let characters = 0
  let turn = performance.now()
  for (const tool of tools) {
    const occurrence = seen.get(tool.name) ?? 0
    seen.set(tool.name, occurrence + 1)
    const one = hashText(textOf(tool))
    characters += one.text.length
    if (characters > MAX_CHARACTERS)
      throw new AppError('manifest-unrecognised', 'the manifest is too large to keep versions of it')
    whole.update(one.hash)
    hashed.push({ name: tool.name, occurrence, ...one })
    if (performance.now() - turn > TURN_MS) {
      await new Promise(resolve => setImmediate(resolve))
      turn = performance.now()
    }
  }
  return { manifest, tools: hashed, facts, hash: whole.digest('hex') }
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

function hashText(text: string): { readonly hash: string; readonly text: string } {
  return { hash: createHash('sha256').update(text).digest('hex'), text }
}
