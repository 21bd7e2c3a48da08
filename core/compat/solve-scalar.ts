/**
 * Finds a number or a text that meets its conditions, or proves that none does. All arithmetic is exact.
 */

import {
  add,
  ceiling,
  compareRationals,
  divide,
  floor,
  fromRational,
  isMultiple,
  leastCommonMultiple,
  type Rational,
  rational,
  rationalKey,
  readRational,
  times,
} from './numbers.ts'
import type { Patterns } from './pattern.ts'
import { type Budget, Undecided } from './proof-limits.ts'
import type { TextSearch } from './shortest-text.ts'
import type { Term, TermOf } from './term.ts'
import { isWithin, type TermChecker } from './term-checker.ts'

type Bound = TermOf<'bound'>

const half = rational(1n, 2n)
const ten = rational(10n)

/** @param atoms conditions on numbers, and values. @returns undefined if no number meets them all */
export function solveNumber(atoms: readonly Term[], budget: Budget): unknown {
  const bounds = atoms.filter(atom => atom.kind === 'bound')
  const multiples = atoms.filter(atom => atom.kind === 'multiple')
  const listed = atoms
    .filter(atom => atom.kind === 'values')
    .map(({ values, negated }) => {
      const numbers = [...values.values()].flatMap(value => readRational(value) ?? [])
      return { numbers, keys: new Set(numbers.map(rationalKey)), negated }
    })
  const accepts = (value: Rational) => {
    budget.step()
    return (
      bounds.every(bound => isWithin(bound, value)) &&
      multiples.every(({ of, negated }) => isMultiple(value, of) !== negated) &&
      listed.every(({ keys, negated }) => keys.has(rationalKey(value)) !== negated)
    )
  }
  const chosen = listed.find(({ negated }) => !negated)
  if (chosen) {
    const number = chosen.numbers.find(accepts)
    return number && fromRational(number)
  }
  const low = tightest(bounds, 'min')
  const high = tightest(bounds, 'max')
  const steps = multiples.filter(({ negated }) => !negated).map(({ of }) => of)
  const candidates = steps.length > 0 ? onGrid(steps, low, high) : everywhere(low, high)
  const avoided = multiples.filter(({ negated }) => negated).map(({ of }) => of)
  if (isNeverAccepted(steps, avoided)) return undefined
  let spare: Rational | undefined
  let tried = 0
  for (const candidate of candidates) {
    tried += 1
    if (accepts(candidate)) {
      // A number that validators with double arithmetic handle correctly is worth a longer search.
      if (isPlain(candidate, multiples)) return fromRational(candidate)
      spare ??= candidate
    }
    if (spare && tried > 500) break
    if (tried > 20_000) throw new Undecided('the numbers in question are too many to try')
  }
  return spare ? fromRational(spare) : undefined
}

/** Whether the number is a double, and division of doubles gives the exact answers (0.07 / 0.01 does not). */
function isPlain(value: Rational, multiples: readonly TermOf<'multiple'>[]): boolean {
  const number = fromRational(value)
  if (typeof number !== 'number') return false
  return multiples.every(({ of }) => {
    const step = fromRational(of)
    return typeof step !== 'number' || Number.isInteger(number / step) === isMultiple(value, of)
  })
}

function tightest(bounds: readonly Bound[], side: 'min' | 'max'): Bound | undefined {
  return bounds
    .filter(bound => bound.side === side)
    .reduce<Bound | undefined>((best, bound) => {
      if (!best) return bound
      const order = compareRationals(bound.limit, best.limit) * (side === 'min' ? 1 : -1)
      return order > 0 || (order === 0 && bound.strict) ? bound : best
    }, undefined)
}

/** Whether every number on the grid is a multiple of a number that must be avoided. */
function isNeverAccepted(steps: readonly Rational[], avoided: readonly Rational[]): boolean {
  const [first, ...others] = steps
  if (!first) return false
  const step = others.reduce(leastCommonMultiple, first)
  return avoided.some(of => isMultiple(step, of))
}

/**
 * Yields multiples of all steps within the bounds, those near zero or a bound first. If there are finitely many, yields
 * all of them.
 */
function* onGrid(
  steps: readonly Rational[],
  low: Bound | undefined,
  high: Bound | undefined,
): Generator<Rational> {
  const [first, ...others] = steps
  if (!first) return
  const step = others.reduce(leastCommonMultiple, first)
  const min = low && ceiling(divide(low.limit, step))
  const max = high && floor(divide(high.limit, step))
  if (min !== undefined && max !== undefined && min > max) return
  let from = 0n
  if (min !== undefined && min > 0n) from = min
  if (max !== undefined && max < 0n) from = max
  yield times(rational(from), step)
  for (let distance = 1n; ; distance += 1n) {
    const up = from + distance
    const down = from - distance
    const above = max === undefined || up <= max
    const below = min === undefined || down >= min
    if (!above && !below) return
    if (above) yield times(rational(up), step)
    if (below) yield times(rational(down), step)
  }
}

/** Yields numbers within the bounds: integers, then finer decimals. Endless unless the interval is a point or empty. */
function* everywhere(low: Bound | undefined, high: Bound | undefined): Generator<Rational> {
  if (low && high) {
    const order = compareRationals(low.limit, high.limit)
    if (order > 0) return
    if (order === 0) {
      yield low.limit
      return
    }
  }
  let whole = 0
  for (const candidate of onGrid([rational(1n)], low, high)) {
    yield candidate
    whole += 1
    if (whole > 200) break
  }
  if (low) yield low.limit
  if (high) yield high.limit
  const start = low ? low.limit : high ? add(high.limit, rational(-1n)) : rational(0n)
  const end = high ? high.limit : add(start, rational(1n))
  const width = add(end, rational(-start.numerator, start.denominator))
  yield add(start, times(width, half))
  let step = width
  for (let digits = 0; digits < 40; digits += 1) {
    step = divide(step, ten)
    for (let count = 1n; count < 10n; count += 1n) yield add(start, times(step, rational(count)))
    for (let count = 11n; count < 100n; count += 22n) yield add(start, times(step, rational(count, 10n)))
  }
  throw new Undecided('the numbers in question are too many to try')
}

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
