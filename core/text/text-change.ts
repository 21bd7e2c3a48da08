/** A change of words that a model reads: what was added, and whether it should make a reader look twice. */
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

/** Every text in a value, names included, one per line: where a part is new, its text is searched for cues. */
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
      // References and the dialect are addresses that no model is asked to visit.
      if (name === '$schema' || name === '$id' || name === '$ref') continue
      collect(item, texts, depth + 1)
    }
}
