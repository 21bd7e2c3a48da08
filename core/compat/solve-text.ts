/** A text that meets lengths, patterns and exclusions, or the proof that there is none. */
import type { Judge } from './holds.ts'
import type { Patterns } from './pattern.ts'
import type { Term } from './term.ts'
import type { TextSearch } from './text-search.ts'

/** @param atoms conditions on texts, and values. @returns undefined when no text meets them all. */
export function solveText(
  atoms: readonly Term[],
  tools: { patterns: Patterns; search: TextSearch; judge: Judge },
): string | undefined {
  const { patterns, search, judge } = tools
  const chosen = atoms.find(atom => atom.kind === 'values' && !atom.negated)
  if (chosen?.kind === 'values') {
    const texts = [...chosen.values.values()].filter(value => typeof value === 'string')
    return texts.find(text => atoms.every(atom => judge.holds(atom, text)))
  }
  const { languages } = patterns
  let min = 0
  let max = Number.POSITIVE_INFINITY
  const parts = []
  const excluded = []
  for (const atom of atoms) {
    if (atom.kind === 'length') {
      min = Math.max(min, atom.min)
      max = Math.min(max, atom.max)
    } else if (atom.kind === 'pattern') {
      const language = patterns.language(atom.source)
      parts.push(atom.negated ? languages.not(language) : language)
    } else if (atom.kind === 'values') {
      for (const value of atom.values.values())
        if (typeof value === 'string') excluded.push(languages.word(value))
    }
  }
  return search.find(languages.both([...parts, languages.not(languages.union(excluded))]), min, max)
}
