/** Restricts a term to one type of value; reads schemas that the term refers to. */

import type { JsonType } from '../json/json.ts'
import { type Budget, Undecided } from './proof-limits.ts'
import { type Term, typeBits, typeOfCondition } from './term.ts'
import type { Terms } from './terms.ts'

export class Restriction {
  private readonly terms: Terms
  private readonly budget: Budget
  private readonly done = new Map<string, Term>()
  private readonly active = new Set<string>()

  constructor(terms: Terms, budget: Budget) {
    this.terms = terms
    this.budget = budget
  }

  to(term: Term, type: JsonType): Term {
    const { terms } = this
    if ((term.mask & typeBits[type]) === 0) return terms.never
    const subjectType = typeOfCondition(term.kind)
    if (subjectType !== undefined) return subjectType === type ? term : terms.always
    if (term.kind === 'type') return terms.always
    const key = `${type}:${term.id}`
    const known = this.done.get(key)
    if (known) return known
    if (this.active.has(key)) throw new Undecided('a schema refers to itself without end')
    this.budget.step()
    this.active.add(key)
    try {
      const result = this.restricted(term, type)
      this.done.set(key, result)
      return result
    } finally {
      this.active.delete(key)
    }
  }

  private restricted(term: Term, type: JsonType): Term {
    const { terms } = this
    switch (term.kind) {
      case 'and':
        return this.without(
          terms.and([terms.type(typeBits[type]), ...term.parts.map(part => this.to(part, type))]),
          type,
        )
      case 'or':
        return terms.or(term.parts.map(part => this.to(part, type)))
      case 'ref':
        return this.to(term.resolve(), type)
      case 'values':
        return this.without(terms.and([terms.type(typeBits[type]), term]), type)
      default:
        return term
    }
  }

  /** Removes the condition on the type itself, which is known. */
  private without(term: Term, type: JsonType): Term {
    const said = this.terms.type(typeBits[type])
    if (term === said) return this.terms.always
    if (term.kind !== 'and') return term
    const rest = term.parts.filter(part => part !== said)
    return rest.length === 1 && rest[0] ? rest[0] : this.terms.and(rest)
  }
}
