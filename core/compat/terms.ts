/** Builds terms: equal ones once, simplified if that is cheap, each with its negation. */

import { canonicalJson } from '../json/equality.ts'
import { jsonType } from '../json/json.ts'
import { type Rational, rationalKey } from './numbers.ts'
import type { Budget } from './proof-limits.ts'
import { everyType, isNoKey, type KeySet, type Term, type TermOf, type TermShape, typeBits } from './term.ts'

type SizeLimits = [min: number, max: number]

interface CountRange {
  readonly min: number
  readonly max: number
}

/** The number of list members that cost one step. */
const listed = 8

export class Terms {
  private readonly table = new Map<string, Term>()
  private readonly negations = new Map<Term, Term>()
  private readonly types: (Term | undefined)[] = []
  private readonly budget: Budget
  readonly always: Term
  readonly never: Term

  constructor(budget: Budget) {
    this.budget = budget
    this.always = this.type(everyType)
    this.never = this.type(0)
  }

  private intern(key: string, shape: TermShape, mask = everyType): Term {
    this.budget.step()
    const known = this.table.get(key)
    if (known) return known
    const term: Term = { ...shape, id: this.table.size, mask }
    this.table.set(key, term)
    return term
  }

  type(mask: number): Term {
    const known = this.types[mask] ?? this.intern(`type:${mask}`, { kind: 'type' }, mask)
    this.types[mask] = known
    return known
  }

  /** The values must be null, booleans, numbers or texts. */
  values(values: Iterable<unknown>): Term {
    const found = new Map(Array.from(values, value => [canonicalJson(value), value]))
    return this.valueSet(sortedByKey(found), false)
  }

  /** @param sorted in the order of their texts */
  private valueSet(sorted: ReadonlyMap<string, unknown>, negated: boolean): Term {
    if (sorted.size === 0) return negated ? this.always : this.never
    let mask = 0
    for (const value of sorted.values()) mask |= typeBits[jsonType(value)]
    this.budget.step(sorted.size / listed)
    const key = `values:${negated}:${[...sorted.keys()].join()}`
    return this.intern(key, { kind: 'values', negated, values: sorted }, negated ? everyType : mask)
  }

  bound(side: 'min' | 'max', limit: Rational, strict: boolean): Term {
    return this.intern(`bound:${side}:${rationalKey(limit)}:${strict}`, {
      kind: 'bound',
      side,
      limit,
      strict,
    })
  }

  multiple(of: Rational, negated = false): Term {
    return this.intern(`multiple:${rationalKey(of)}:${negated}`, { kind: 'multiple', of, negated })
  }

  private range(kind: 'length' | 'size' | 'fields', type: number, min: number, max: number): Term {
    if (min <= 0 && max === Number.POSITIVE_INFINITY) return this.always
    if (min > max || min === Number.POSITIVE_INFINITY) return this.type(everyType ^ type)
    return this.intern(`${kind}:${min}:${max}`, { kind, min, max })
  }

  length(min: number, max: number): Term {
    return this.range('length', typeBits.string, min, max)
  }

  size(min: number, max: number): Term {
    return this.range('size', typeBits.array, min, max)
  }

  fields(min: number, max: number): Term {
    return this.range('fields', typeBits.object, min, max)
  }

  pattern(source: string, negated = false): Term {
    return this.intern(`pattern:${negated}:${source}`, { kind: 'pattern', source, negated })
  }

  count(from: number, to: number, term: Term, min: number, max: number): Term {
    if ((min <= 0 && max === Number.POSITIVE_INFINITY) || (term === this.never && min <= 0))
      return this.always
    if (min > max || (min > 0 && (term === this.never || to - from < min)))
      return this.type(everyType ^ typeBits.array)
    if (to <= from) return this.always
    const key = `count:${from}:${to}:${term.id}:${min}:${max}`
    return this.intern(key, { kind: 'count', from, to, term, min, max })
  }

  /** Every item at the indexes from `from` up to but excluding `to` satisfies the term. */
  items(from: number, to: number, term: Term): Term {
    return this.count(from, to, this.negate(term), 0, 0)
  }

  unique(negated = false): Term {
    return this.intern(`unique:${negated}`, { kind: 'unique', negated })
  }

  every(keys: KeySet, term: Term): Term {
    if (term === this.always || isNoKey(keys)) return this.always
    return this.intern(`every:${term.id}:${keys.id}`, { kind: 'every', keys, term })
  }

  some(keys: KeySet, term: Term): Term {
    if (term === this.never || isNoKey(keys)) return this.type(everyType ^ typeBits.object)
    return this.intern(`some:${term.id}:${keys.id}`, { kind: 'some', keys, term })
  }

  /** A condition that is read later, so that schemas may refer to themselves below a property or an item. */
  ref(name: string, resolve: () => Term): Term {
    const term = this.intern(`ref:${name}`, { kind: 'ref', name, negated: false, resolve })
    if (!this.negations.has(term)) {
      const opposite = () => this.negate(resolve())
      this.pair(term, this.intern(`ref:!${name}`, { kind: 'ref', name, negated: true, resolve: opposite }))
    }
    return term
  }

  /** Opaque terms with the same name are the same schema, so that it still contains itself. */
  opaque(name: string, reason: string, negated = false): Term {
    return this.intern(`opaque:${negated}:${name}`, { kind: 'opaque', name, reason, negated })
  }

  and(terms: Iterable<Term>): Term {
    const parts = new Set<Term>()
    let mask = everyType
    let chosen: TermOf<'values'> | undefined
    let excluded: TermOf<'values'> | undefined
    const take = (term: Term): void => {
      if (term.kind === 'and') for (const part of term.parts) take(part)
      else {
        mask &= term.mask
        if (term.kind === 'values' && !term.negated) chosen = chosen ? this.shared(chosen, term) : term
        else if (term.kind === 'values') excluded = excluded ? this.joined(excluded, term, true) : term
        else if (term.kind !== 'type') parts.add(term)
      }
    }
    for (const term of terms) take(term)
    if (chosen) mask &= chosen.mask
    if (mask === 0) return this.never
    if (chosen || excluded) {
      const values = this.settle(chosen, excluded, mask)
      if (values === this.never) return this.never
      mask &= values.mask
      if (values.kind !== 'type') parts.add(values)
    }
    const needsType = mask !== everyType && ![...parts].some(part => part.kind === 'values' && !part.negated)
    if (needsType) parts.add(this.type(mask))
    return this.join('and', parts, mask, this.always, this.never)
  }

  /** Returns the chosen values without the excluded ones, limited to the types in the mask. */
  private settle(
    chosen: TermOf<'values'> | undefined,
    excluded: TermOf<'values'> | undefined,
    mask: number,
  ): Term {
    const source = chosen ?? excluded
    if (!source) return this.always
    const remaining = [...source.values].filter(
      ([key, value]) => (typeBits[jsonType(value)] & mask) !== 0 && !(chosen && excluded?.values.has(key)),
    )
    return this.valueSet(new Map(remaining), chosen === undefined)
  }

  private shared(a: TermOf<'values'>, b: TermOf<'values'>): TermOf<'values'> {
    const values = new Map([...a.values].filter(([key]) => b.values.has(key)))
    return { kind: 'values', id: -1, mask: values.size === 0 ? 0 : a.mask & b.mask, negated: false, values }
  }

  private joined(a: TermOf<'values'>, b: TermOf<'values'>, negated: boolean): TermOf<'values'> {
    const values = sortedByKey(new Map([...a.values, ...b.values]))
    return { kind: 'values', id: -1, mask: negated ? everyType : a.mask | b.mask, negated, values }
  }

  or(terms: Iterable<Term>): Term {
    const parts = new Set<Term>()
    let types = 0
    let chosen: TermOf<'values'> | undefined
    const take = (term: Term): void => {
      if (term.kind === 'or') for (const part of term.parts) take(part)
      else if (term.kind === 'type') types |= term.mask
      else if (term.kind === 'values' && !term.negated)
        chosen = chosen ? this.joined(chosen, term, false) : term
      else parts.add(term)
    }
    for (const term of terms) take(term)
    if (types === everyType) return this.always
    if (chosen) {
      const others = [...chosen.values].filter(([, value]) => (typeBits[jsonType(value)] & types) === 0)
      const values = this.valueSet(new Map(others), false)
      if (values !== this.never) parts.add(values)
    }
    if (types !== 0) parts.add(this.type(types))
    let mask = 0
    for (const part of parts) mask |= part.mask
    return this.join('or', parts, mask, this.never, this.always)
  }

  private join(
    kind: 'and' | 'or',
    parts: ReadonlySet<Term>,
    mask: number,
    neutral: Term,
    absorbing: Term,
  ): Term {
    for (const part of parts) {
      const opposite = this.negations.get(part)
      if (opposite && parts.has(opposite)) return absorbing
    }
    this.budget.step(parts.size / listed)
    const sorted = [...parts].sort((a, b) => a.id - b.id)
    const [only] = sorted
    if (!only) return neutral
    if (sorted.length === 1) return only
    return this.intern(`${kind}:${sorted.map(part => part.id).join()}`, { kind, parts: sorted }, mask)
  }

  private pair(term: Term, opposite: Term): Term {
    this.negations.set(term, opposite)
    if (!this.negations.has(opposite)) this.negations.set(opposite, term)
    return opposite
  }

  /** Returns the term that holds exactly for the values for which `term` does not. */
  negate(term: Term): Term {
    return this.negations.get(term) ?? this.pair(term, this.opposite(term))
  }

  private opposite(term: Term): Term {
    const failing = (type: keyof typeof typeBits, dual: Term) => this.and([this.type(typeBits[type]), dual])
    const outside = (
      type: keyof typeof typeBits,
      { min, max }: CountRange,
      range: (...limits: SizeLimits) => Term,
    ) => {
      const below = min > 0 ? [range(0, min - 1)] : []
      const above = max < Number.POSITIVE_INFINITY ? [range(max + 1, Number.POSITIVE_INFINITY)] : []
      return failing(type, this.or([...below, ...above]))
    }
    switch (term.kind) {
      case 'type':
        return this.type(everyType ^ term.mask)
      case 'and':
        return this.or(term.parts.map(part => this.negate(part)))
      case 'or':
        return this.and(term.parts.map(part => this.negate(part)))
      case 'ref':
        throw new Error('a ref is paired with its negation when it is made')
      case 'opaque':
        return this.opaque(term.name, term.reason, !term.negated)
      case 'values':
        return this.valueSet(term.values, !term.negated)
      case 'bound':
        return failing('number', this.bound(term.side === 'min' ? 'max' : 'min', term.limit, !term.strict))
      case 'multiple':
        return failing('number', this.multiple(term.of, !term.negated))
      case 'length':
        return outside('string', term, (...limits) => this.length(...limits))
      case 'pattern':
        return failing('string', this.pattern(term.source, !term.negated))
      case 'size':
        return outside('array', term, (...limits) => this.size(...limits))
      case 'count':
        return outside('array', term, (...limits) => this.count(term.from, term.to, term.term, ...limits))
      case 'unique':
        return failing('array', this.unique(!term.negated))
      case 'every':
        return failing('object', this.some(term.keys, this.negate(term.term)))
      case 'some':
        return failing('object', this.every(term.keys, this.negate(term.term)))
      case 'fields':
        return outside('object', term, (...limits) => this.fields(...limits))
    }
  }
}

function sortedByKey(values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  return new Map([...values].sort(([a], [b]) => (a < b ? -1 : 1)))
}
