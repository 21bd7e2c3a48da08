/** Finds an array that meets its conditions, or proves that no array does. */
import { canonicalJson } from '../json/equality.ts'
import { ArrayPlan, type ItemChoice } from './array-plan.ts'
import { empty, type Result, type Solver } from './result.ts'
import type { Term } from './term.ts'

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
