/**
 * Checks whether a value satisfies a term during the search; `evaluate.ts` checks a witness against its schemas again.
 */

import { canonicalJson } from '../json/equality.ts'
import { isObject, jsonType } from '../json/json.ts'
import { codePoints, compareRationals, isMultiple, type Rational, readRational } from './numbers.ts'
import type { Patterns } from './pattern.ts'
import { type Budget, patternSteps, Undecided } from './proof-limits.ts'
import type { TextSearch } from './shortest-text.ts'
import type { KeySet } from './term.ts'
import { type Term, typeBits, typeOfCondition } from './term.ts'

export class TermChecker {
  private readonly patterns: Patterns
  private readonly search: TextSearch
  private readonly budget: Budget
  private readonly matched = new Map<string, boolean>()

  constructor(patterns: Patterns, search: TextSearch, budget: Budget) {
    this.patterns = patterns
    this.search = search
    this.budget = budget
  }

  matches(pattern: string, text: string): boolean {
    const key = `${text}\u0000${pattern}`
    let result = this.matched.get(key)
    if (result === undefined) {
      this.budget.step(patternSteps)
      result = this.search.matches(this.patterns.language(pattern), text)
      this.matched.set(key, result)
    }
    return result
  }

  includes(keys: KeySet, name: string): boolean {
    const described =
      keys.names.has(name) ||
      keys.patterns.some(pattern => this.matches(pattern, name)) ||
      (keys.failing !== undefined && !this.satisfies(keys.failing, name))
    return described !== keys.complement
  }

  satisfies(term: Term, value: unknown, depth = 0): boolean {
    this.budget.step()
    if (depth > this.budget.limits.depth * 4) throw new Undecided('a value is nested too deep')
    const type = jsonType(value)
    if ((term.mask & typeBits[type]) === 0) return false
    const subjectType = typeOfCondition(term.kind)
    if (subjectType !== undefined && subjectType !== type) return true
    const satisfies = (part: Term, inner: unknown) => this.satisfies(part, inner, depth + 1)
    switch (term.kind) {
      case 'type':
        return true
      case 'and':
        return term.parts.every(part => satisfies(part, value))
      case 'or':
        return term.parts.some(part => satisfies(part, value))
      case 'ref':
        return satisfies(term.resolve(), value)
      case 'opaque':
        throw new Undecided(term.reason)
      case 'values':
        return isScalar(value) ? term.values.has(canonicalJson(value)) !== term.negated : term.negated
      case 'bound':
        return isWithin(term, readRational(value) as Rational)
      case 'multiple':
        return isMultiple(readRational(value) as Rational, term.of) !== term.negated
      case 'length':
        return isBetween(term, codePoints(value as string))
      case 'pattern':
        return this.matches(term.source, value as string) !== term.negated
      case 'size':
        return isBetween(term, (value as unknown[]).length)
      case 'count': {
        const items = (value as unknown[]).slice(term.from, term.to)
        return isBetween(term, items.filter(item => satisfies(term.term, item)).length)
      }
      case 'unique': {
        const items = value as unknown[]
        return (new Set(items.map(item => canonicalJson(item))).size === items.length) !== term.negated
      }
      case 'every':
        return entriesIn(term.keys, value).every(
          ([name, inner]) => !this.includes(term.keys, name) || satisfies(term.term, inner),
        )
      case 'some':
        return entriesIn(term.keys, value).some(
          ([name, inner]) => this.includes(term.keys, name) && satisfies(term.term, inner),
        )
      case 'fields':
        return isBetween(term, entries(value).length)
    }
  }
}

/** Returns the properties that can be in the set; a single name is looked up. */
function entriesIn({ sole }: KeySet, value: unknown): [string, unknown][] {
  if (sole === undefined || !isObject(value)) return entries(value)
  return Object.hasOwn(value, sole) ? [[sole, value[sole]]] : []
}

function entries(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}

function isScalar(value: unknown): boolean {
  return !Array.isArray(value) && !isObject(value)
}

function isBetween({ min, max }: { min: number; max: number }, count: number): boolean {
  return count >= min && count <= max
}

export function isWithin(
  bound: { side: 'min' | 'max'; limit: Rational; strict: boolean },
  value: Rational,
): boolean {
  const order = compareRationals(value, bound.limit) * (bound.side === 'min' ? 1 : -1)
  return bound.strict ? order > 0 : order >= 0
}
