/** The property names that no schema names, sorted by which patterns and conditions on names they meet. */

import { Undecided } from './limits.ts'
import type { Solver } from './result.ts'
import type { KeySet } from './term.ts'
import { type Term, typeBits } from './term.ts'

const maxRegions = 512

/** Names that read well in a witness, tried before any other. */
const readableNames = ['extra', 'other', 'another', 'more', 'x', 'y', 'z']

export class Region {
  /** Condition on the name. */
  readonly names: Term
  private readonly patterns: ReadonlySet<string>
  private readonly failing: ReadonlySet<Term>
  private readonly solver: Solver

  constructor(solver: Solver, names: Term, patterns: ReadonlySet<string>, failing: ReadonlySet<Term>) {
    this.solver = solver
    this.names = names
    this.patterns = patterns
    this.failing = failing
  }

  /** All names of a region are in a set of names, or none is. */
  isIn(keys: KeySet): boolean {
    const described =
      keys.patterns.some(pattern => this.patterns.has(pattern)) ||
      (keys.failing !== undefined && this.failing.has(keys.failing))
    return described !== keys.complement
  }

  with(names: Term, patterns: readonly string[], failing: readonly Term[]): Region {
    return new Region(
      this.solver,
      names,
      new Set([...this.patterns, ...patterns]),
      new Set([...this.failing, ...failing]),
    )
  }

  /** A name of the region that is not in use. @throws Undecided where that cannot be found out. */
  freshName(used: ReadonlySet<string>): string | undefined {
    const { terms, checker } = this.solver
    for (const name of readableNames) if (!used.has(name) && checker.satisfies(this.names, name)) return name
    const counted = `extra${used.size + 1}`
    if (!used.has(counted) && checker.satisfies(this.names, counted)) return counted
    const unused = terms.and([this.names, terms.negate(terms.values(used))])
    for (const condition of [terms.and([unused, terms.length(1, Number.POSITIVE_INFINITY)]), unused]) {
      const result = this.solver.solve(condition)
      if (result.kind === 'found') return String(result.value)
      if (result.kind === 'unknown') throw new Undecided(result.reason)
    }
    return undefined
  }
}

/** The regions that hold at least one name. @throws Undecided when there are too many or a pattern cannot be analysed. */
export function regionsOf(sets: readonly KeySet[], names: ReadonlySet<string>, solver: Solver): Region[] {
  const { terms } = solver
  const patterns = new Set(sets.flatMap(keys => keys.patterns))
  const conditions = new Set(sets.flatMap(keys => (keys.failing ? [keys.failing] : [])))
  const start = terms.and([terms.type(typeBits.string), terms.negate(terms.values(names))])
  let regions = [new Region(solver, start, new Set(), new Set())]
  const split = (inside: Term, yes: (region: Region, names: Term) => Region, no: typeof yes) => {
    regions = regions.flatMap(region => {
      const halves = [
        yes(region, terms.and([region.names, inside])),
        no(region, terms.and([region.names, terms.negate(inside)])),
      ]
      return halves.filter(half => {
        const result = solver.solve(half.names)
        if (result.kind === 'unknown') throw new Undecided(result.reason)
        return result.kind === 'found'
      })
    })
    if (regions.length > maxRegions) throw new Undecided('the patterns for names overlap in too many ways')
  }
  for (const pattern of patterns)
    split(
      terms.pattern(pattern),
      (region, inside) => region.with(inside, [pattern], []),
      (region, outside) => region.with(outside, [], []),
    )
  for (const condition of conditions)
    split(
      condition,
      (region, inside) => region.with(inside, [], []),
      (region, outside) => region.with(outside, [], [condition]),
    )
  return regions
}
