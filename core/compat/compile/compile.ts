/** Reads schemas into terms. */

import { isObject, own } from '../../json/json.ts'
import { isSince } from '../../json-schema/keywords.ts'
import { type Budget, Undecided } from '../limits.ts'
import { DynamicScope } from '../parse/dynamic-scope.ts'
import { MissingTarget, type Registry } from '../parse/registry.ts'
import { clash } from './clash.ts'
import { arrayTerms } from './compile-arrays.ts'
import { objectTerms } from './compile-objects.ts'
import { valueTerms } from './compile-values.ts'
import type { Compiler, Place } from './compiler.ts'
import type { Term } from './term.ts'
import type { Terms } from './terms.ts'
import { declaredTerms, unevaluatedTerms } from './unevaluated.ts'

export class SchemaCompiler implements Compiler {
  readonly terms: Terms
  readonly registry: Registry
  readonly budget: Budget
  private readonly done = new Map<string, Term>()
  /** Schemas being read, with the value level they speak of: 0 is the whole value, 1 a property or item of it, … */
  private readonly active = new Map<string, number>()
  private level = 0
  /** Whether objects are closed to what they declare (`declaredOnly`). */
  private closing: boolean

  /** @param declaredOnly reads the schema as what a party accepts that sends declared properties only. */
  constructor(terms: Terms, registry: Registry, budget: Budget, declaredOnly = false) {
    this.terms = terms
    this.registry = registry
    this.budget = budget
    this.closing = declaredOnly
  }

  root(): Term {
    const { root } = this.registry
    return this.whole({ node: root, scope: DynamicScope.outside.enter(root.resource) })
  }

  /** The term of all that a schema says of a value, closed where that is asked for. */
  private whole(place: Place): Term {
    const term = this.read(place)
    return this.closing ? this.terms.and([term, ...declaredTerms(this, place)]) : term
  }

  open<Result>(read: () => Result): Result {
    const { closing } = this
    this.closing = false
    try {
      return read()
    } finally {
      this.closing = closing
    }
  }

  inside(place: Place, schema: unknown, ...steps: (string | number)[]): Place {
    const node = this.registry.child(place.node, schema, ...steps)
    return { node, scope: place.scope.enter(node.resource) }
  }

  below(place: Place): Term {
    this.level += 1
    try {
      return this.whole(place)
    } finally {
      this.level -= 1
    }
  }

  read(place: Place): Term {
    const { schema } = place.node
    if (typeof schema === 'boolean') return schema ? this.terms.always : this.terms.never
    const key = `${place.node.id}:${this.closing}:${place.scope.key}`
    const known = this.done.get(key)
    if (known) return known
    const level = this.active.get(key)
    if (level !== undefined) {
      if (level === this.level) {
        const reason = `the schema at ${place.node.path || 'the root'} refers to itself without end`
        return this.terms.opaque(`loop:${key}`, reason)
      }
      return this.terms.ref(key, () => this.done.get(key) ?? this.read(place))
    }
    if (this.active.size > this.budget.limits.depth * 4) throw new Undecided('the schema is nested too deep')
    this.budget.step()
    this.active.set(key, this.level)
    try {
      const term = this.terms.and(this.parts(place))
      this.done.set(key, term)
      return term
    } finally {
      this.active.delete(key)
    }
  }

  private parts(place: Place): Term[] {
    const { node } = place
    const schema = node.schema
    if (!isObject(schema)) return []
    const references = this.referredTerms(place)
    if (references.length > 0 && !isSince(node.resource.dialect, '2019-09')) return references
    return [
      ...references,
      ...valueTerms(this.terms, schema, node.resource.dialect),
      ...arrayTerms(this, place, schema),
      ...objectTerms(this, place, schema),
      ...this.logic(place, schema),
      ...unevaluatedTerms(this, place, schema),
    ]
  }

  private referredTerms(place: Place): Term[] {
    try {
      return this.references(place).map(target => this.read(target))
    } catch (error) {
      if (!(error instanceof MissingTarget)) throw error
      return [this.terms.opaque(error.uri, error.message)]
    }
  }

  references(place: Place): Place[] {
    const { node, scope } = place
    if (!isObject(node.schema)) return []
    const result: Place[] = []
    const reference = own(node.schema, '$ref') ?? own(node.schema, '$recursiveRef')
    if (typeof reference === 'string') {
      const target = this.registry.resolve(reference, node)
      result.push({ node: target, scope: scope.enter(target.resource) })
    }
    const dynamic = own(node.schema, '$dynamicRef')
    if (typeof dynamic === 'string') {
      const entered = scope.enter(this.registry.resolve(dynamic, node).resource)
      const target = scope.target(this.registry.resolve(dynamic, node))
      result.push({ node: target, scope: entered.enter(target.resource) })
    }
    return result
  }

  members(place: Place, keyword: string): Place[] {
    const list = isObject(place.node.schema) ? own(place.node.schema, keyword) : undefined
    return Array.isArray(list) ? list.map((schema, index) => this.inside(place, schema, keyword, index)) : []
  }

  under(place: Place, keyword: string): Place | undefined {
    const schema = isObject(place.node.schema) ? own(place.node.schema, keyword) : undefined
    return schema === undefined ? undefined : this.inside(place, schema, keyword)
  }

  private logic(place: Place, schema: { readonly [key: string]: unknown }): Term[] {
    const { terms } = this
    const result = this.members(place, 'allOf').map(member => this.read(member))
    const any = this.members(place, 'anyOf').map(member => this.read(member))
    if (Array.isArray(own(schema, 'anyOf'))) result.push(terms.or(any))
    if (Array.isArray(own(schema, 'oneOf'))) result.push(this.exactlyOne(this.members(place, 'oneOf')))
    const negated = this.under(place, 'not')
    if (negated) result.push(terms.negate(this.open(() => this.read(negated))))
    const condition = isSince(place.node.resource.dialect, 'draft-07') ? this.under(place, 'if') : undefined
    if (condition) {
      const test = this.open(() => this.read(condition))
      for (const [keyword, applies] of [
        ['then', test],
        ['else', terms.negate(test)],
      ] as const) {
        const branch = this.under(place, keyword)
        if (branch) result.push(terms.or([terms.negate(applies), this.read(branch)]))
      }
    }
    return result
  }

  /** One of them, and of each pair not both: the pairs that no value can satisfy together vanish at once. */
  private exactlyOne(places: readonly Place[]): Term {
    const { terms } = this
    const members = this.open(() => places.map(member => this.read(member)))
    const pairs: Term[] = []
    for (const [index, first] of members.entries())
      for (const second of members.slice(index + 1)) {
        this.budget.step()
        if (clash(terms, first, second)) continue
        pairs.push(terms.or([terms.negate(first), terms.negate(second)]))
      }
    return terms.and([terms.or(places.map(member => this.read(member))), ...pairs])
  }
}
