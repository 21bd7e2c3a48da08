/** A change of words that a model reads: what was added, and whether it should make a reader look twice. */
import { cuesIn } from './cues.ts'
import { diffWords, type WordRun } from './words.ts'

export interface TextReading {
  readonly words: readonly WordRun[]
  readonly cues: readonly string[]
}

/** Names of tools on both sides, for the cue about other tools. */
export type ToolNames = ReadonlySet<string>

export function readTextChange(
  before: string,
  after: string,
  names: ToolNames,
  own: string | undefined,
): TextReading {
  const words = diffWords(before, after)
  return { words, cues: cuesIn(words, names, own) }
}
