/** Measures how similar two names or two tools are, to guess renames. */

import { isObject, own } from '../json/json.ts'
import type { ManifestTool } from '../tool/tool.ts'

/** Only this many characters of a name are compared. */
const maxNameCharacters = 80

/** Returns 1 for the same letters in any case and punctuation, 0 for nothing in common. */
export function nameSimilarity(a: string, b: string): number {
  const left = letters(a)
  const right = letters(b)
  if (left === '' || right === '') return 0
  if (left === right) return 1
  const words = new Set(splitByCase(a.slice(0, maxNameCharacters)))
  const others = splitByCase(b.slice(0, maxNameCharacters))
  const shared = others.filter(word => words.has(word)).length / Math.max(words.size, others.length)
  const edits = 1 - distance(left, right) / Math.max(left.length, right.length)
  return Math.max(edits, shared)
}

const letters = (name: string) =>
  name
    .slice(0, maxNameCharacters)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

function splitByCase(text: string): string[] {
  return (text.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{L}/gu) ?? []).map(word => word.toLowerCase())
}

/** Returns the number of letters to insert, drop or replace (Levenshtein). */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++)
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1),
        ),
      )
    previous = current
  }
  return previous.at(-1) ?? 0
}

/** Only the beginning of a description counts: the first sentences say what a tool is. */
const maxDescriptionCharacters = 400
const weights = { name: 0.4, properties: 0.3, description: 0.3 } as const
type SimilarityPart = keyof typeof weights

/**
 * The similarity of two tools, 0 to 1, by name, input properties and description. The more tools have a word, the less
 * it counts (inverse document frequency).
 */
export class Likeness {
  private readonly words = new Map<ManifestTool, Record<SimilarityPart, ReadonlySet<string>>>()
  private readonly counts: Record<SimilarityPart, Map<string, number>> = {
    name: new Map(),
    properties: new Map(),
    description: new Map(),
  }
  private readonly total: number

  /** @param tools all compared tools, of both sides */
  constructor(tools: readonly ManifestTool[]) {
    this.total = tools.length
    for (const tool of tools) {
      const words = wordsIn(tool)
      this.words.set(tool, words)
      for (const part of parts)
        for (const word of words[part]) this.counts[part].set(word, (this.counts[part].get(word) ?? 0) + 1)
    }
  }

  of(before: ManifestTool, after: ManifestTool): number {
    let [sum, all] = [0, 0]
    for (const part of parts) {
      const [left, right] = [this.words.get(before)?.[part], this.words.get(after)?.[part]]
      // Two tools without properties are not similar for that reason.
      if (left === undefined || right === undefined || (left.size === 0 && right.size === 0)) continue
      const shared = this.shared(part, left, right)
      sum +=
        weights[part] * (part === 'name' ? Math.max(shared, nameSimilarity(before.name, after.name)) : shared)
      all += weights[part]
    }
    return all === 0 ? 0 : sum / all
  }

  /** Returns the weight of the shared words divided by the weight of all words: 0 to 1. */
  private shared(part: SimilarityPart, left: ReadonlySet<string>, right: ReadonlySet<string>): number {
    let [common, all] = [0, 0]
    for (const word of new Set([...left, ...right])) {
      const weight = Math.log(1 + this.total / (this.counts[part].get(word) ?? 1))
      all += weight
      if (left.has(word) && right.has(word)) common += weight
    }
    return all === 0 ? 0 : common / all
  }
}

const parts = Object.keys(weights) as readonly SimilarityPart[]

function wordsIn({
  name,
  inputSchema,
  description = '',
}: ManifestTool): Record<SimilarityPart, ReadonlySet<string>> {
  const properties = isObject(inputSchema) ? own(inputSchema, 'properties') : undefined
  return {
    name: new Set(splitByCase(name).map(stem)),
    properties: new Set(isObject(properties) ? Object.keys(properties).slice(0, 200) : []),
    description: new Set(splitByCase(description.slice(0, maxDescriptionCharacters)).map(stem)),
  }
}

/** `sampling`, `samples` and `sample` count as one word: endings and letters after the sixth are mostly grammar. */
const stem = (word: string) => word.replace(/(ing|es|s|ed|e)$/, '').slice(0, 6)
