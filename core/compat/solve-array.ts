/** Finds an array that meets its conditions, or proves that no array does. */

import { canonicalJson } from '../json/equality.ts'
import { Undecided } from './proof-limits.ts'
import { empty, type Result, type Solver } from './result.ts'
import type { Term, TermOf } from './term.ts'

export function solveArray(atoms: readonly Term[], solver: Solver): Result {
  const wantsUnique = atoms.some(atom => atom.kind === 'unique' && !atom.negated)
  const wantsEqualItems = atoms.some(atom => atom.kind === 'unique' && atom.negated)
  if (wantsUnique && wantsEqualItems) return solver.closed('array', 'items must both differ and not differ')
  const plan = new ArrayPlan(atoms, solver, wantsEqualItems ? 2 : 0)
  if (plan.min > plan.max) return solver.closed('array', 'minItems is above maxItems')
  if (wantsEqualItems) return withEqualItems(plan, solver)
  const plain = plan.shortest(undefined)
  if (plain.kind !== 'found') return plain.kind === 'empty' ? none(solver) : plain
  const result = build(plain.choices, solver)
  if (result.kind === 'empty' || !wantsUnique || areDistinct(result)) return result
  return withDistinctItems(plan, solver)
}

function none(solver: Solver): Result {
  return solver.closed('array', 'no array has items as required')
}

function build(choices: readonly ItemChoice[], solver: Solver): Result {
  const values: unknown[] = []
  for (const choice of choices) {
    const result = solver.below('*', choice.term)
    if (result.kind !== 'found') return result
    values.push(result.value)
  }
  return { kind: 'found', value: values }
}

function areDistinct(result: Result): boolean {
  if (result.kind !== 'found' || !Array.isArray(result.value)) return false
  return new Set(result.value.map(item => canonicalJson(item))).size === result.value.length
}

/** Finds an array with two equal items. Only the ranges of their indexes matter, not the indexes themselves. */
function withEqualItems(plan: ArrayPlan, solver: Solver): Result {
  let doubt: Result | undefined
  for (const [first, second] of plan.pairs()) {
    const plain = plan.shortest([first, second])
    if (plain.kind === 'unknown') doubt ??= plain
    if (plain.kind !== 'found') continue
    const result = build(plain.choices, solver)
    if (result.kind === 'found') return result
    if (result.kind === 'unknown') doubt ??= result
  }
  return doubt ?? none(solver)
}

/** Finds an array of different items: tries kinds of items and assigns different values to the indexes. */
function withDistinctItems(plan: ArrayPlan, solver: Solver): Result {
  const candidates = new Map<Term, readonly string[]>()
  const valueByKey = new Map<string, unknown>()
  let doubt: Result | undefined
  const findCandidates = (term: Term) => {
    let keys = candidates.get(term)
    if (!keys) {
      const found = solver.distinct('*', term, plan.longest)
      doubt ??= found.doubt
      keys = found.values.map(value => canonicalJson(value))
      for (const [index, key] of keys.entries()) valueByKey.set(key, found.values[index])
      candidates.set(term, keys)
    }
    return keys
  }
  const matching = new Matching()
  const result = plan.everyWay({
    push: choice => matching.push(findCandidates(choice.term)),
    pop: () => matching.pop(),
  })
  if (result === 'found') return { kind: 'found', value: matching.chosen().map(key => valueByKey.get(key)) }
  if (result === 'too many') return solver.unknown('there are too many ways to choose different items')
  return doubt ?? plan.doubt ?? solver.closed('array', 'not enough different items exist') ?? empty
}

/** Assigns a different value to each index from its list of candidates (augmenting paths). */
class Matching {
  private readonly candidatesByPosition: (readonly string[])[] = []
  private readonly positionOf = new Map<string, number>()
  private readonly history: Map<string, number>[] = []

  /** Adds an index. @returns false without a change if its candidates cannot all differ from the others */
  push(candidates: readonly string[]): boolean {
    const before = new Map(this.positionOf)
    this.candidatesByPosition.push(candidates)
    if (this.augment(this.candidatesByPosition.length - 1, new Set())) {
      this.history.push(before)
      return true
    }
    this.candidatesByPosition.pop()
    this.restore(before)
    return false
  }

  pop(): void {
    this.candidatesByPosition.pop()
    const before = this.history.pop()
    if (before) this.restore(before)
  }

  /** Returns the value of each index. */
  chosen(): string[] {
    const result: string[] = []
    for (const [key, position] of this.positionOf) result[position] = key
    return result
  }

  private augment(position: number, seen: Set<string>): boolean {
    const candidates = this.candidatesByPosition[position] ?? []
    const free = candidates.find(key => !this.positionOf.has(key))
    if (free !== undefined) {
      this.positionOf.set(free, position)
      return true
    }
    for (const key of candidates) {
      if (seen.has(key)) continue
      seen.add(key)
      const holder = this.positionOf.get(key)
      if (holder === undefined || this.augment(holder, seen)) {
        this.positionOf.set(key, position)
        return true
      }
    }
    return false
  }

  private restore(before: ReadonlyMap<string, number>): void {
    this.positionOf.clear()
    for (const [key, position] of before) this.positionOf.set(key, position)
  }
}

/** One kind of item in one range of indexes. */
interface ItemChoice {
  readonly term: Term
  /** The counters for which the item counts. */
  readonly counts: readonly number[]
}

interface Stretch {
  readonly from: number
  readonly to: number
}

interface CountsPath {
  readonly counts: readonly number[]
  readonly previous: CountsPath | undefined
  readonly choice: ItemChoice | undefined
}

type Shortest =
  | { readonly kind: 'found'; readonly choices: readonly ItemChoice[] }
  | Exclude<Result, { kind: 'found' }>

const maxWays = 20_000
const maxCounters = 10

/**
 * Plans which kinds of items an array needs at each index. Indexes between two boundaries that conditions name are
 * alike; each kind of item says for every counting condition (`contains`) whether the item counts.
 */
class ArrayPlan {
  readonly min: number
  readonly max: number
  /** The maximum length to search: in longer arrays, items can be removed. */
  readonly longest: number
  /** Why some kind of item is undecided. */
  doubt: Result | undefined
  private readonly solver: Solver
  private readonly rules: readonly TermOf<'count'>[]
  private readonly counters: readonly TermOf<'count'>[]
  private readonly stretches: readonly Stretch[]
  private readonly choicesOf = new Map<string, readonly ItemChoice[]>()

  /** @param spare items that are needed in addition to those of the conditions */
  constructor(atoms: readonly Term[], solver: Solver, spare: number) {
    this.solver = solver
    const counts = atoms.filter(atom => atom.kind === 'count')
    this.rules = counts.filter(({ max }) => max === 0)
    this.counters = counts.filter(({ max }) => max > 0)
    if (this.counters.length > maxCounters) throw new Undecided('too many conditions count items')
    const sizes = atoms.filter(atom => atom.kind === 'size')
    this.min = Math.max(0, ...sizes.map(({ min }) => min))
    this.max = Math.min(...sizes.map(({ max }) => max))
    const breaks = [...new Set([0, ...counts.flatMap(({ from, to }) => [from, to])])]
      .filter(index => Number.isFinite(index))
      .sort((a, b) => a - b)
    this.stretches = breaks.map((from, index) => ({
      from,
      to: breaks[index + 1] ?? Number.POSITIVE_INFINITY,
    }))
    const needed = this.counters.reduce((sum, { min }) => sum + min, spare)
    this.longest = Math.min(this.max, Math.max(this.min, (breaks.at(-1) ?? 0) + needed))
    if (this.min <= this.max && this.longest > solver.budget.limits.size)
      throw new Undecided(`an array of ${this.longest} items is too long to build`)
  }

  /** Returns pairs of indexes that represent all pairs. */
  pairs(): [number, number][] {
    const result: [number, number][] = []
    for (const [index, first] of this.stretches.entries()) {
      if (first.to - first.from >= 2) result.push([first.from, first.from + 1])
      for (const second of this.stretches.slice(index + 1)) result.push([first.from, second.from])
    }
    return result.filter(([, second]) => second < this.longest)
  }

  /** Returns the shortest array that meets all counts. @param equalIndexes two indexes that must hold the same value */
  shortest(equalIndexes: readonly [number, number] | undefined): Shortest {
    const choicesAt = equalIndexes ? undefined : (position: number) => this.choices(position, [])
    if (choicesAt) return this.walk(choicesAt, 0)
    const [first, second] = equalIndexes as readonly [number, number]
    let doubt: Shortest | undefined
    for (const shared of this.choices(first, [second])) {
      const at = (position: number): readonly ItemChoice[] => {
        if (position === first) return [this.part(shared, first)]
        if (position === second) return [this.part(shared, second)]
        return this.choices(position, [])
      }
      const result = this.walk(at, second + 1)
      if (result.kind === 'found') return result
      if (result.kind === 'unknown') doubt ??= result
    }
    return doubt ?? (this.doubt as Shortest | undefined) ?? { kind: 'empty' }
  }

  /** Keeps the counters that cover this index. */
  private part(choice: ItemChoice, position: number): ItemChoice {
    return {
      term: choice.term,
      counts: choice.counts.filter(index => this.covers(this.counters[index], position)),
    }
  }

  private walk(choicesAt: (position: number) => readonly ItemChoice[], least: number): Shortest {
    let layer = new Map<string, CountsPath>()
    const start = this.counters.map(() => 0)
    layer.set(start.join(), { counts: start, previous: undefined, choice: undefined })
    for (let length = 0; ; length += 1) {
      if (length >= this.min && length >= least)
        for (const way of layer.values())
          if (this.isEnough(way.counts)) return { kind: 'found', choices: trace(way) }
      if (length >= this.longest || layer.size === 0) break
      const next = new Map<string, CountsPath>()
      const choices = choicesAt(length)
      for (const way of layer.values())
        for (const choice of choices) {
          this.solver.budget.step()
          const counts = this.counted(way.counts, choice)
          const key = counts?.join()
          if (counts && key !== undefined && !next.has(key)) next.set(key, { counts, previous: way, choice })
        }
      if (next.size > maxWays) throw new Undecided('too many ways to count items')
      layer = next
    }
    return (this.doubt as Shortest | undefined) ?? { kind: 'empty' }
  }

  /** Tries every way to choose kinds of items, index by index, until `push` accepts all choices of one way. */
  everyWay(visitor: {
    push: (choice: ItemChoice) => boolean
    pop: () => void
  }): 'found' | 'none' | 'too many' {
    let tried = 0
    const visit = (length: number, counts: readonly number[], last: number): boolean => {
      if (length >= this.min && this.isEnough(counts)) return true
      if (length >= this.longest) return false
      const choices = this.choices(length, [])
      const start = this.stretches.some(({ from }) => from === length) ? 0 : last
      for (let index = start; index < choices.length; index += 1) {
        const choice = choices[index] as ItemChoice
        tried += 1
        this.solver.budget.step()
        if (tried > maxWays) return false
        const next = this.counted(counts, choice)
        if (!next || !visitor.push(choice)) continue
        if (visit(length + 1, next, index)) return true
        visitor.pop()
      }
      return false
    }
    const start = this.counters.map(() => 0)
    if (visit(0, start, 0)) return 'found'
    return tried > maxWays ? 'too many' : 'none'
  }

  private counted(counts: readonly number[], choice: ItemChoice): readonly number[] | undefined {
    const next = [...counts]
    for (const index of choice.counts) {
      const counter = this.counters[index]
      const count = (next[index] ?? 0) + 1
      if (!counter || count > counter.max) return undefined
      next[index] = counter.max === Number.POSITIVE_INFINITY ? Math.min(count, counter.min) : count
    }
    return next
  }

  private isEnough(counts: readonly number[]): boolean {
    return this.counters.every(({ min }, index) => (counts[index] ?? 0) >= min)
  }

  private covers(condition: Stretch | undefined, position: number): boolean {
    return condition !== undefined && position >= condition.from && position < condition.to
  }

  /** Returns the kinds of items that are possible at `position` and at the other indexes. */
  private choices(position: number, others: readonly number[]): readonly ItemChoice[] {
    const positions = [position, ...others]
    const key = positions.map(one => this.stretches.findIndex(stretch => this.covers(stretch, one))).join()
    const known = this.choicesOf.get(key)
    if (known) return known
    const { terms } = this.solver
    const applies = (condition: Stretch) => positions.some(one => this.covers(condition, one))
    const rule = terms.and(this.rules.filter(applies).map(({ term }) => terms.negate(term)))
    let result: ItemChoice[] = this.possible([{ term: rule, counts: [] }])
    for (const [index, counter] of this.counters.entries()) {
      if (!applies(counter)) continue
      result = this.possible(
        result.flatMap(({ term, counts }) => [
          { term: terms.and([term, terms.negate(counter.term)]), counts },
          { term: terms.and([term, counter.term]), counts: [...counts, index] },
        ]),
      )
    }
    this.choicesOf.set(key, result)
    return result
  }

  private possible(choices: readonly ItemChoice[]): ItemChoice[] {
    return choices.filter(({ term }) => {
      const result = this.solver.below('*', term)
      if (result.kind === 'unknown') this.doubt ??= result
      return result.kind === 'found'
    })
  }
}

function trace(end: CountsPath): ItemChoice[] {
  const result: ItemChoice[] = []
  for (let way: CountsPath | undefined = end; way?.choice; way = way.previous) result.push(way.choice)
  return result.reverse()
}
