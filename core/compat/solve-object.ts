/** Finds an object that meets its conditions, or proves that no object does. */
import { groupBy } from '../lists.ts'
import { Undecided } from './proof-limits.ts'
import { empty, type Result, type Solver } from './result.ts'
import { type KeySet, type Term, type TermOf, typeBits } from './term.ts'

/** A property of the object: with its name, or with any name of a region. */
interface PropertySlot {
  readonly name: string | undefined
  readonly region: Region | undefined
  /** Conditions on the value in addition to those on every property with that name. */
  readonly terms: readonly Term[]
}

export function solveObject(atoms: readonly Term[], solver: Solver): Result {
  return new ObjectSearch(atoms, solver).run()
}

class ObjectSearch {
  private readonly solver: Solver
  private readonly rules: readonly TermOf<'every'>[]
  private readonly needs: readonly TermOf<'some'>[]
  private min = 0
  private max = Number.POSITIVE_INFINITY
  private readonly byName = new Map<string, Term>()
  private regions: readonly Region[] | undefined
  private named: Set<string> | undefined
  private indexed: ReadonlyMap<string | undefined, readonly TermOf<'every'>[]> | undefined

  constructor(atoms: readonly Term[], solver: Solver) {
    this.solver = solver
    this.rules = atoms.filter(atom => atom.kind === 'every')
    this.needs = atoms.filter(atom => atom.kind === 'some')
    for (const atom of atoms)
      if (atom.kind === 'fields') {
        this.min = Math.max(this.min, atom.min)
        this.max = Math.min(this.max, atom.max)
      }
  }

  /** All names in the conditions. */
  private get names(): ReadonlySet<string> {
    if (!this.named) {
      this.named = new Set()
      for (const { keys } of [...this.rules, ...this.needs])
        for (const name of keys.names) this.named.add(name)
    }
    return this.named
  }

  run(): Result {
    const { solver } = this
    if (this.min > this.max) return solver.closed('object', 'minProperties is above maxProperties')
    const slots = new Map<string, PropertySlot>()
    const open: TermOf<'some'>[] = []
    for (const need of this.needs) {
      const name = need.keys.sole
      if (name === undefined) open.push(need)
      else {
        const terms = [...(slots.get(name)?.terms ?? []), need.term]
        slots.set(name, { name, region: undefined, terms })
      }
    }
    if (slots.size > this.max) return solver.closed('object', 'more properties are required than allowed')
    // Values with more conditions fail first, which ends most searches early.
    const { always } = solver.terms
    const isPlain = (slot: PropertySlot) => slot.terms.every(term => term === always)
    const all = [...slots.values()]
    return this.fill([...all.filter(slot => !isPlain(slot)), ...all.filter(isPlain)], open)
  }

  /** Gives each slot a value, then meets the remaining needs one after the other. */
  private fill(slots: readonly PropertySlot[], open: readonly TermOf<'some'>[]): Result {
    const { solver } = this
    solver.budget.step()
    const made = this.make(slots)
    if (made.kind !== 'found') return made
    const unmet = open.find(need => !solver.checker.satisfies(need, made.value))
    if (!unmet) return this.enlarge(made.value as { [key: string]: unknown })
    const rest = open.filter(need => need !== unmet)
    let doubt: Result | undefined
    for (const option of this.options(slots, unmet)) {
      const result = this.fill(option, rest)
      if (result.kind === 'found') return result
      if (result.kind === 'unknown') doubt ??= result
    }
    return doubt ?? empty
  }

  private make(slots: readonly PropertySlot[]): Result {
    const { solver } = this
    const entries: [string, unknown][] = []
    const used = new Set<string>()
    let doubt: Result | undefined
    for (const slot of slots) {
      const name = slot.name ?? slot.region?.freshName(used)
      if (name === undefined) return solver.closed('object', 'no other property name is allowed')
      if (slot.region) used.add(name)
      const rule = slot.region ? this.ruleIn(slot.region) : this.ruleFor(name)
      const result = solver.below(slot.region ? '*' : name, solver.terms.and([rule, ...slot.terms]))
      if (result.kind === 'empty') return empty
      if (result.kind === 'unknown') doubt ??= result
      else entries.push([name, result.value])
    }
    return doubt ?? { kind: 'found', value: Object.fromEntries(entries) }
  }

  /** Returns all ways to meet one need: with a known name, or with a name without rules. */
  private options(slots: readonly PropertySlot[], need: TermOf<'some'>): (readonly PropertySlot[])[] {
    const result: (readonly PropertySlot[])[] = []
    const room = slots.length < this.max
    for (const name of this.names) {
      if (!this.solver.checker.includes(need.keys, name)) continue
      const at = slots.findIndex(slot => slot.name === name)
      const slot = slots[at]
      if (slot) result.push(slots.with(at, { ...slot, terms: [...slot.terms, need.term] }))
      else if (room) result.push([...slots, { name, region: undefined, terms: [need.term] }])
    }
    if (need.keys.complement || need.keys.patterns.length > 0 || need.keys.failing)
      for (const region of this.allRegions()) {
        if (!region.isIn(need.keys)) continue
        for (const [at, slot] of slots.entries())
          if (slot.region === region)
            result.push(slots.with(at, { ...slot, terms: [...slot.terms, need.term] }))
        if (room) result.push([...slots, { name: undefined, region, terms: [need.term] }])
      }
    return result
  }

  /** Adds properties until there are enough; they do not affect each other. */
  private enlarge(value: { readonly [key: string]: unknown }): Result {
    const entries = Object.entries(value)
    const used = new Set(Object.keys(value))
    let doubt: Result | undefined
    const missing = () => this.min - entries.length
    if (missing() > this.solver.budget.limits.size)
      return this.solver.unknown('too many properties are required')
    for (const name of this.names) {
      if (missing() <= 0) break
      if (used.has(name)) continue
      const result = this.solver.below(name, this.ruleFor(name))
      if (result.kind === 'unknown') doubt ??= result
      if (result.kind === 'found') entries.push([name, result.value])
    }
    if (missing() > 0)
      for (const region of this.allRegions()) {
        const result = this.solver.below('*', this.ruleIn(region))
        if (result.kind === 'unknown') doubt ??= result
        if (result.kind !== 'found') continue
        while (missing() > 0) {
          const name = region.freshName(used)
          if (name === undefined) break
          used.add(name)
          entries.push([name, result.value])
        }
      }
    if (missing() > 0) return doubt ?? this.solver.closed('object', 'not enough properties are allowed')
    return { kind: 'found', value: Object.fromEntries(entries) }
  }

  private ruleFor(name: string): Term {
    let rule = this.byName.get(name)
    if (!rule) {
      const { checker, terms } = this.solver
      this.indexed ??= groupBy(this.rules, ({ keys }) => keys.sole)
      const named = this.indexed.get(name) ?? []
      const others = this.rules.filter(({ keys }) => keys.sole === undefined && checker.includes(keys, name))
      rule = terms.and([...named, ...others].map(({ term }) => term))
      this.byName.set(name, rule)
    }
    return rule
  }

  private ruleIn(region: Region): Term {
    const { terms } = this.solver
    return terms.and(this.rules.filter(({ keys }) => region.isIn(keys)).map(({ term }) => term))
  }

  private allRegions(): readonly Region[] {
    this.regions ??= splitIntoRegions(
      [...this.rules, ...this.needs].map(({ keys }) => keys),
      this.names,
      this.solver,
    )
    return this.regions
  }
}

/* The property names that no schema names, grouped by the patterns and conditions that they meet. */

const maxRegions = 512

/** Readable names for a witness, tried before others. */
const readableNames = ['extra', 'other', 'another', 'more', 'x', 'y', 'z']

class Region {
  /** The condition on the name. */
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

  /** Whether a set of names contains the region; it contains all of its names or none. */
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

  /** Returns an unused name of the region. @throws Undecided if this cannot be decided */
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

/**
 * Returns the regions with at least one name. @throws Undecided if there are too many or a pattern cannot be analysed
 */
function splitIntoRegions(sets: readonly KeySet[], names: ReadonlySet<string>, solver: Solver): Region[] {
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
