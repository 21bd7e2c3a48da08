/** Finds a text that meets lengths, patterns and exclusions, or proves that no text does. */

import type { Patterns } from './pattern.ts'
import type { TextSearch } from './shortest-text.ts'
import type { Term } from './term.ts'
import type { TermChecker } from './term-checker.ts'

/** @param atoms conditions on texts, and values. @returns undefined if no text meets them all */
export function solveText(
  atoms: readonly Term[],
  tools: { patterns: Patterns; search: TextSearch; checker: TermChecker },
): string | undefined {
  const { patterns, search, checker } = tools
  const chosen = atoms.find(atom => atom.kind === 'values' && !atom.negated)
  if (chosen?.kind === 'values') {
    const texts = [...chosen.values.values()].filter(value => typeof value === 'string')
    return texts.find(text => atoms.every(atom => checker.satisfies(atom, text)))
  }
  const { languages } = patterns
  let min = 0
  let max = Number.POSITIVE_INFINITY
  const parts = []
  const excluded: string[] = []
  for (const atom of atoms) {
    if (atom.kind === 'length') {
      min = Math.max(min, atom.min)
      max = Math.min(max, atom.max)
    } else if (atom.kind === 'pattern') {
      const language = patterns.language(atom.source)
      parts.push(atom.negated ? languages.not(language) : language)
    } else if (atom.kind === 'values') {
      for (const value of atom.values.values()) if (typeof value === 'string') excluded.push(value)
    }
  }
  if (parts.length === 0) {
    const plain = plainText(
      min,
      max,
      text => atoms.every(atom => checker.satisfies(atom, text)),
      excluded.length,
    )
    if (plain !== undefined) return plain
  }
  const words = languages.union(excluded.map(text => languages.word(text)))
  return search.find(languages.both([...parts, languages.not(words)]), min, max)
}

/** Tries words of letters, if there are no patterns: '', 'a', 'b', … 'aa', 'ab', …; undefined if none fits. */
function plainText(
  min: number,
  max: number,
  accepts: (text: string) => boolean,
  excluded: number,
): string | undefined {
  if (min > 1_000) return undefined
  let tried = 0
  for (let length = min; length <= Math.min(max, min + 3); length += 1)
    for (let index = 0; index < 26 ** Math.min(length, 3); index += 1) {
      // One word more than the excluded ones is enough.
      if (tried > excluded) return undefined
      tried += 1
      const text = word(index, length)
      if (accepts(text)) return text
    }
  return undefined
}

function word(index: number, length: number): string {
  let letters = ''
  for (let rest = index; rest > 0; rest = Math.floor(rest / 26))
    letters = String.fromCharCode(97 + (rest % 26)) + letters
  return letters.padStart(length, 'a')
}
