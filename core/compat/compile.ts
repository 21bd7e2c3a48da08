/** Compiles schemas to terms. */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import { arrayTerms, type Compiler, valueTerms } from './compile-keywords.ts'
import { readCount } from './numbers.ts'
import { type Budget, Undecided } from './proof-limits.ts'
import { DynamicScope, MissingTarget, type Registry, type ScopedSchema } from './registry.ts'
import { type KeySet, keySet, type Term, typeBits } from './term.ts'
import type { Terms } from './terms.ts'
import { declaredTerms, unevaluatedTerms } from './unevaluated.ts'

export class SchemaCompiler implements Compiler {
  readonly terms: Terms
  readonly registry: Registry
  readonly budget: Budget
  private readonly done = new Map<string, Term>()
  /** Schemas that are being read, with their value level: 0 is the whole value, 1 a property or item of it, … */
  private readonly active = new Map<string, number>()
  private readonly underWay = new Set<string>()
  private level = 0
  /** Whether objects are closed to what they declare (`declaredOnly`). */
  private closing: boolean

  /** @param declaredOnly reads the schema as what a sender of declared properties only accepts */
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

  /** Returns the term of all keywords of a schema, with closed objects if `declaredOnly` is set. */
  private whole(scoped: ScopedSchema): Term {
    const term = this.read(scoped)
    return this.closing ? this.terms.and([term, ...declaredTerms(this, scoped)]) : term
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

  inside(scoped: ScopedSchema, schema: unknown, ...steps: (string | number)[]): ScopedSchema {
    const node = this.registry.child(scoped.node, schema, ...steps)
    return { node, scope: scoped.scope.enter(node.resource) }
  }

  below(scoped: ScopedSchema): Term {
    this.level += 1
    try {
      return this.whole(scoped)
    } finally {
      this.level -= 1
    }
  }

  read(scoped: ScopedSchema): Term {
    const { schema } = scoped.node
    if (typeof schema === 'boolean') return schema ? this.terms.always : this.terms.never
    const key = `${scoped.node.id}:${this.closing}:${scoped.scope.key}`
    const known = this.done.get(key)
    if (known) return known
    const level = this.active.get(key)
    if (level !== undefined) {
      if (level === this.level) return this.terms.opaque(`loop:${key}`, endless(scoped))
      return this.terms.ref(key, () => this.done.get(key) ?? this.read(scoped))
    }
    if (this.active.size > this.budget.limits.depth * 4) throw new Undecided('the schema is nested too deep')
    this.budget.step()
    this.active.set(key, this.level)
    try {
      const term = this.terms.and(this.parts(scoped))
      this.done.set(key, term)
      return term
    } finally {
      this.active.delete(key)
    }
  }

  once<Result>(work: string, scoped: ScopedSchema, run: () => Result): Result {
    const key = `${work}:${this.level}:${scoped.node.id}:${scoped.scope.key}`
    if (this.underWay.has(key)) throw new Undecided(endless(scoped))
    this.underWay.add(key)
    try {
      return run()
    } finally {
      this.underWay.delete(key)
    }
  }

  private parts(scoped: ScopedSchema): Term[] {
    const { node } = scoped
    const schema = node.schema
    if (!isObject(schema)) return []
    const references = this.referredTerms(scoped)
    if (references.length > 0 && !isSince(node.resource.dialect, '2019-09')) return references
    return [
      ...references,
      ...valueTerms(this.terms, schema, node.resource.dialect),
      ...arrayTerms(this, scoped, schema),
      ...objectTerms(this, scoped, schema),
      ...this.logic(scoped, schema),
      ...unevaluatedTerms(this, scoped, schema),
    ]
  }

  private referredTerms(scoped: ScopedSchema): Term[] {
    try {
      return this.references(scoped).map(target => this.read(target))
    } catch (error) {
      if (!(error instanceof MissingTarget)) throw error
      return [this.terms.opaque(error.uri, error.message)]
    }
  }

  references(scoped: ScopedSchema): ScopedSchema[] {
    const { schema } = scoped.node
    return isObject(schema) ? this.registry.references(scoped, schema) : []
  }

  members(scoped: ScopedSchema, keyword: string): ScopedSchema[] {
    const list = isObject(scoped.node.schema) ? own(scoped.node.schema, keyword) : undefined
    return Array.isArray(list) ? list.map((schema, index) => this.inside(scoped, schema, keyword, index)) : []
  }

  under(scoped: ScopedSchema, keyword: string): ScopedSchema | undefined {
    const schema = isObject(scoped.node.schema) ? own(scoped.node.schema, keyword) : undefined
    return schema === undefined ? undefined : this.inside(scoped, schema, keyword)
  }

  private logic(scoped: ScopedSchema, schema: { readonly [key: string]: unknown }): Term[] {
    const { terms } = this
    const result = this.members(scoped, 'allOf').map(member => this.read(member))
    const any = this.members(scoped, 'anyOf').map(member => this.read(member))
    if (Array.isArray(own(schema, 'anyOf'))) result.push(terms.or(any))
    if (Array.isArray(own(schema, 'oneOf'))) result.push(this.exactlyOne(this.members(scoped, 'oneOf')))
    const negated = this.under(scoped, 'not')
    if (negated) result.push(terms.negate(this.open(() => this.read(negated))))
    const condition = isSince(scoped.node.resource.dialect, 'draft-07') ? this.under(scoped, 'if') : undefined
    if (condition) {
      const test = this.open(() => this.read(condition))
      for (const [keyword, applies] of [
        ['then', test],
        ['else', terms.negate(test)],
      ] as const) {
        const branch = this.under(scoped, keyword)
        if (branch) result.push(terms.or([terms.negate(applies), this.read(branch)]))
      }
    }
    return result
  }

  /** One member matches, and no pair matches together; pairs without a common value are dropped early. */
  private exactlyOne(schemas: readonly ScopedSchema[]): Term {
    const { terms } = this
    const members = this.open(() => schemas.map(member => this.read(member)))
    const pairs: Term[] = []
    for (const [index, first] of members.entries())
      for (const second of members.slice(index + 1)) {
        this.budget.step()
        if (clash(terms, first, second)) continue
        pairs.push(terms.or([terms.negate(first), terms.negate(second)]))
      }
    return terms.and([terms.or(schemas.map(member => this.read(member))), ...pairs])
  }
}

const endless = ({ node }: ScopedSchema) =>
  `the schema at ${node.path || 'the root'} refers to itself without end`

/* A cheap check for terms without a common value, such as the members of a union with a discriminator. */

/** Returns true only if no value satisfies both; false if the cheap check cannot show it. */
function clash(terms: Terms, first: Term, second: Term): boolean {
  const shared = first.mask & second.mask
  if (shared === 0) return true
  if (shared !== typeBits.object) return false
  const own = getProperties(first)
  const other = getProperties(second)
  for (const name of [...own.required, ...other.required]) {
    const rules = [...(own.rules.get(name) ?? []), ...(other.rules.get(name) ?? [])]
    if (rules.length > 1 && terms.and(rules) === terms.never) return true
  }
  return false
}

interface Properties {
  readonly required: ReadonlySet<string>
  readonly rules: ReadonlyMap<string, readonly Term[]>
}

/** Cached, because a union of n members asks n times for each of them. */
const known = new WeakMap<Term, Properties>()

function getProperties(term: Term): Properties {
  const found = known.get(term) ?? readProperties(term)
  known.set(term, found)
  return found
}

/** Collects the conditions of a conjunction by property name. */
function readProperties(term: Term): Properties {
  const required = new Set<string>()
  const rules = new Map<string, Term[]>()
  for (const part of term.kind === 'and' ? term.parts : [term]) {
    if (part.kind !== 'some' && part.kind !== 'every') continue
    const name = part.keys.sole
    if (name === undefined) continue
    if (part.kind === 'some') required.add(name)
    rules.set(name, [...(rules.get(name) ?? []), part.term])
  }
  return { required, rules }
}

/* The keywords about objects. */

const infinity = Number.POSITIVE_INFINITY

function objectTerms(compiler: Compiler, scoped: ScopedSchema, schema: UnknownObject): Term[] {
  const { terms } = compiler
  const result = [
    terms.fields(readCount(own(schema, 'minProperties')) ?? 0, infinity),
    terms.fields(0, readCount(own(schema, 'maxProperties')) ?? infinity),
  ]
  const required = own(schema, 'required')
  if (Array.isArray(required)) result.push(...required.map(name => has(terms, String(name))))
  for (const [name, inner] of entries(schema, 'properties')) {
    const value = compiler.below(compiler.inside(scoped, inner, 'properties', name))
    result.push(terms.every(keySet({ names: [name] }), value))
  }
  for (const [pattern, inner] of entries(schema, 'patternProperties')) {
    const value = compiler.below(compiler.inside(scoped, inner, 'patternProperties', pattern))
    result.push(terms.every(keySet({ patterns: [pattern] }), value))
  }
  const additional = compiler.under(scoped, 'additionalProperties')
  if (additional) result.push(terms.every(additionalKeys(schema), compiler.below(additional)))
  const names = isSince(scoped.node.resource.dialect, 'draft-06')
    ? compiler.under(scoped, 'propertyNames')
    : undefined
  if (names) {
    const condition = terms.and([terms.type(typeBits.string), compiler.below(names)])
    if (condition !== terms.type(typeBits.string))
      result.push(terms.every(keySet({ failing: condition }), terms.never))
  }
  result.push(...dependencies(compiler, scoped, schema))
  return result
}

function has(terms: Terms, name: string): Term {
  return terms.some(keySet({ names: [name] }), terms.always)
}

function entries(schema: UnknownObject, keyword: string): [string, unknown][] {
  const value = own(schema, keyword)
  return isObject(value) ? Object.entries(value) : []
}

/** Returns the names to which `additionalProperties` of this schema applies. */
function additionalKeys(schema: UnknownObject): KeySet {
  return keySet({
    complement: true,
    names: entries(schema, 'properties').map(([name]) => name),
    patterns: entries(schema, 'patternProperties').map(([pattern]) => pattern),
  })
}

/** `dependentSchemas`, `dependentRequired` and the older `dependencies`, which validators of all drafts still apply. */
function dependencies(compiler: Compiler, scoped: ScopedSchema, schema: UnknownObject): Term[] {
  const { terms } = compiler
  const result: Term[] = []
  const keywords = isSince(scoped.node.resource.dialect, '2019-09')
    ? ['dependencies', 'dependentRequired', 'dependentSchemas']
    : ['dependencies']
  for (const keyword of keywords)
    for (const [name, needed] of entries(schema, keyword)) {
      const without = terms.negate(terms.and([terms.type(typeBits.object), has(terms, name)]))
      const then = Array.isArray(needed)
        ? terms.and(needed.map(other => has(terms, String(other))))
        : compiler.read(compiler.inside(scoped, needed, keyword, name))
      result.push(terms.or([without, then]))
    }
  return result
}
