/**
 * Decides whether a term has a value, by building one: A ⊆ B exactly if "A and not B" has none (after Attouche et al.,
 * "Witness Generation for JSON Schema", 2022). Disjunctions are split only if the current value breaks them. A term
 * that needs itself on the way down has no smallest value, so it has none (least fixed point).
 */
import type { JsonType } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { constant } from './compile-keywords.ts'
import type { Patterns } from './pattern.ts'
import { type Budget, OutOfBudget, Undecided } from './proof-limits.ts'
import { Restriction } from './restrict.ts'
import { type Closure, empty, type Result, type Solver } from './result.ts'
import type { TextSearch } from './shortest-text.ts'
import { solveArray } from './solve-array.ts'
import { solveObject } from './solve-object.ts'
import { solveNumber, solveText } from './solve-scalar.ts'
import { type Term, type TermOf, typeBits } from './term.ts'
import type { TermChecker } from './term-checker.ts'
import type { Terms } from './terms.ts'

interface Frame {
  readonly id: number
  /** Terms found empty under the assumption that an outer term is empty. */
  readonly provisional: number[]
}

const maxClosures = 200
const searchOrder: readonly JsonType[] = ['string', 'number', 'boolean', 'null', 'object', 'array']

export class TermSolver implements Solver {
  readonly terms: Terms
  readonly checker: TermChecker
  readonly budget: Budget
  readonly closures: Closure[] = []
  /** How often a term needed itself. */
  cycles = 0
  readonly patterns: Patterns
  readonly search: TextSearch
  private readonly restriction: Restriction
  private readonly memo = new Map<number, { result: Result; lowest: number }>()
  private readonly stack: Frame[] = []
  private readonly depths = new Map<number, number>()
  private readonly trail: string[] = []
  /** The outermost frame on which the emptiness of the current frame depends. */
  private lowest = Number.POSITIVE_INFINITY

  constructor(tools: {
    terms: Terms
    budget: Budget
    patterns: Patterns
    search: TextSearch
    checker: TermChecker
  }) {
    this.terms = tools.terms
    this.budget = tools.budget
    this.patterns = tools.patterns
    this.search = tools.search
    this.checker = tools.checker
    this.restriction = new Restriction(tools.terms, tools.budget)
  }

  below(step: string | number, term: Term): Result {
    this.trail.push(pointerStep(step))
    try {
      return this.solve(term)
    } finally {
      this.trail.pop()
    }
  }

  solve(term: Term): Result {
    this.budget.step()
    if (term === this.terms.never) return empty
    const known = this.memo.get(term.id)
    if (known) {
      this.lowest = Math.min(this.lowest, known.lowest)
      return known.result
    }
    const depth = this.depths.get(term.id)
    if (depth !== undefined) {
      this.cycles += 1
      this.lowest = Math.min(this.lowest, depth)
      return empty
    }
    if (this.stack.length >= this.budget.limits.depth) return this.unknown('the values nest too deep')
    return this.framed(term)
  }

  private framed(term: Term): Result {
    const depth = this.stack.length
    const frame: Frame = { id: term.id, provisional: [] }
    const outer = this.lowest
    this.lowest = Number.POSITIVE_INFINITY
    this.stack.push(frame)
    this.depths.set(term.id, depth)
    try {
      const result = this.everyType(term)
      this.settle(frame, depth, result)
      return result
    } finally {
      this.stack.pop()
      this.depths.delete(term.id)
      this.lowest = Math.min(outer, this.lowest)
    }
  }

  /** Caches the result, and updates results whose assumptions are now confirmed or refuted. */
  private settle(frame: Frame, depth: number, result: Result): void {
    const leans = result.kind !== 'found' && this.lowest < depth
    if (result.kind === 'found') {
      for (const id of frame.provisional) this.memo.delete(id)
      this.lowest = Number.POSITIVE_INFINITY
      this.memo.set(frame.id, { result, lowest: this.lowest })
      return
    }
    if (leans) {
      this.memo.set(frame.id, { result, lowest: this.lowest })
      this.stack[depth - 1]?.provisional.push(frame.id, ...frame.provisional)
      return
    }
    for (const id of frame.provisional) {
      const entry = this.memo.get(id)
      if (entry) entry.lowest = Number.POSITIVE_INFINITY
    }
    this.lowest = Number.POSITIVE_INFINITY
    this.memo.set(frame.id, { result, lowest: this.lowest })
  }

  private everyType(term: Term): Result {
    let doubt: Result | undefined
    for (const type of searchOrder) {
      if ((term.mask & typeBits[type]) === 0) continue
      const result = this.guarded(() => this.typed(type, this.restriction.to(term, type), new Map()))
      if (result.kind === 'found') return result
      if (result.kind === 'unknown') doubt ??= result
    }
    return doubt ?? empty
  }

  /** Runs a search; converts Undecided to a result, but not OutOfBudget. */
  guarded(search: () => Result): Result {
    try {
      return search()
    } catch (error) {
      if (error instanceof Undecided && !(error instanceof OutOfBudget)) return this.unknown(error.message)
      throw error
    }
  }

  unknown(reason: string): Result {
    return { kind: 'unknown', reason, path: this.trail.join('') }
  }

  closed(type: JsonType, reason: string): Result {
    if (this.closures.length < maxClosures) this.closures.push({ path: this.trail.join(''), type, reason })
    return empty
  }

  private typed(type: JsonType, term: Term, tried: Map<Term, Result>): Result {
    this.budget.step()
    if (term === this.terms.never) return empty
    const known = tried.get(term)
    if (known) return known
    const result = this.typedAnew(type, term, tried)
    tried.set(term, result)
    return result
  }

  private typedAnew(type: JsonType, term: Term, tried: Map<Term, Result>): Result {
    const literals = term.kind === 'and' ? term.parts : [term]
    const choices = literals.filter(literal => literal.kind === 'or')
    const atoms = literals.filter(literal => literal.kind !== 'or')
    if (this.contradicts(atoms)) return this.closed(type, 'a pattern must both match and not match')
    const candidate = this.guarded(() => this.withoutOpaque(type, atoms))
    if (candidate.kind === 'empty') return empty
    let open: readonly TermOf<'or'>[] = choices
    if (candidate.kind === 'found') {
      open = choices.filter(choice => !this.plainlyHolds(choice, candidate.value))
      if (open.length === 0) return candidate
    }
    const [first, ...others] = open
    if (!first) return candidate
    const choice = others.reduce((best, one) => (one.parts.length < best.parts.length ? one : best), first)
    const rest = literals.filter(literal => literal !== choice)
    const dead = type === 'object' ? new DeadBranches(atoms, this) : undefined
    let doubt: Result | undefined
    for (const part of choice.parts) {
      if (dead?.isDead(part)) continue
      const result = this.typed(type, this.terms.and([...rest, part]), tried)
      if (result.kind === 'found') return result
      if (result.kind === 'unknown') doubt ??= result
    }
    return doubt ?? empty
  }

  /** Finds a pattern next to its negation without an analysis of the pattern, which may fail. */
  private contradicts(atoms: readonly Term[]): boolean {
    return atoms.some(
      atom =>
        atom.kind === 'pattern' && !atom.negated && atoms.includes(this.terms.pattern(atom.source, true)),
    )
  }

  /** An undecided choice is split like one that does not hold. */
  private plainlyHolds(choice: Term, value: unknown): boolean {
    try {
      return this.checker.satisfies(choice, value)
    } catch (error) {
      if (error instanceof Undecided) return false
      throw error
    }
  }

  /** Unreadable conditions leave the answer open, unless the other conditions already exclude every value. */
  private withoutOpaque(type: JsonType, atoms: readonly Term[]): Result {
    const opaque = atoms.find(atom => atom.kind === 'opaque')
    if (!opaque) return this.leaf(type, atoms)
    const result = this.leaf(
      type,
      atoms.filter(atom => atom.kind !== 'opaque'),
    )
    return result.kind === 'found' ? this.unknown(opaque.reason) : result
  }

  /** Finds a value of one type that meets plain conditions without disjunctions. */
  private leaf(type: JsonType, atoms: readonly Term[]): Result {
    switch (type) {
      case 'null':
      case 'boolean': {
        const values = type === 'null' ? [null] : [true, false]
        const value = values.find(one => atoms.every(atom => this.checker.satisfies(atom, one)))
        return value === undefined ? this.closed(type, 'no such value is left') : { kind: 'found', value }
      }
      case 'number': {
        const value = solveNumber(atoms, this.budget)
        return value === undefined
          ? this.closed(type, 'no number meets all conditions')
          : { kind: 'found', value }
      }
      case 'string': {
        const value = solveText(atoms, this)
        return value === undefined
          ? this.closed(type, 'no text meets all conditions')
          : { kind: 'found', value }
      }
      case 'array':
        return solveArray(atoms, this)
      case 'object':
        return solveObject(atoms, this)
    }
  }

  distinct(
    step: string | number,
    term: Term,
    count: number,
  ): { values: unknown[]; complete: boolean; doubt: Result | undefined } {
    const values: unknown[] = []
    let left = term
    while (values.length < count) {
      const result = this.below(step, left)
      if (result.kind === 'empty') return { values, complete: true, doubt: undefined }
      if (result.kind === 'unknown') return { values, complete: false, doubt: result }
      values.push(result.value)
      left = this.terms.and([left, this.terms.negate(constant(this.terms, result.value))])
    }
    return { values, complete: false, doubt: undefined }
  }
}

/* Detects early that a condition on one property contradicts others, without building whole objects. */

interface Named {
  /** Conditions on the property if it is present. */
  readonly rules: Term[]
  /** Conditions on the property, which must be present. */
  readonly needs: Term[]
}

class DeadBranches {
  private readonly solver: Solver
  private readonly names = new Map<string, Named>()

  /** @param atoms conditions on one object */
  constructor(atoms: readonly Term[], solver: Solver) {
    this.solver = solver
    for (const atom of atoms) {
      if (atom.kind !== 'every' && atom.kind !== 'some') continue
      const name = atom.keys.sole
      if (name === undefined) continue
      const known = this.names.get(name) ?? { rules: [], needs: [] }
      known[atom.kind === 'every' ? 'rules' : 'needs'].push(atom.term)
      this.names.set(name, known)
    }
  }

  /** Returns true only if no object meets the atoms and this part. */
  isDead(part: Term): boolean {
    if (part.kind !== 'every' && part.kind !== 'some') return false
    const name = part.keys.sole
    if (name === undefined) return false
    const known = this.names.get(name) ?? { rules: [], needs: [] }
    if (part.kind === 'every' && known.needs.length === 0) return false
    const value = this.solver.terms.and([...known.rules, ...known.needs, part.term])
    return this.solver.below(name, value).kind === 'empty'
  }
}
