/** A change of text that a model reads: the changed words, and cues that need a second look. */
import { type FoundCue, findCues } from './cues.ts'
import { diffWords, type WordRun } from './word-diff.ts'

export interface TextChange {
  readonly words: readonly WordRun[]
  readonly cues: readonly FoundCue[]
}

/** Names of tools on both sides, for the cue about other tools. */
export type ToolNames = ReadonlySet<string>

export function readTextChange(
  before: string,
  after: string,
  names: ToolNames,
  own: string | undefined,
): TextChange {
  const words = diffWords(before, after)
  return { words, cues: findCues(words, names, own) }
}

const maxTexts = 2_000
const maxDepth = 60

/** Returns every text in a value, names included, one per line, to search a new part for cues. */
export function addedText(value: unknown): string {
  const texts: string[] = []
  collect(value, texts, 0)
  return texts.join('\n')
}

function collect(value: unknown, texts: string[], depth: number): void {
  if (texts.length >= maxTexts || depth > maxDepth) return
  if (typeof value === 'string') texts.push(value.slice(0, 20_000))
  else if (Array.isArray(value)) for (const item of value) collect(item, texts, depth + 1)
  else if (typeof value === 'object' && value !== null)
    for (const [name, item] of Object.entries(value)) {
      // References and the dialect are URLs that no model is asked to open.
      if (name === '$schema' || name === '$id' || name === '$ref') continue
      collect(item, texts, depth + 1)
    }
}
