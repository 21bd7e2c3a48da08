/** A schema's document as the engine reads it: a missing part leaves the question undecided. */
import { own, type UnknownObject } from '../json/json.ts'
import { type Dialect, isSince } from '../schema/keywords.ts'
import { isSchema } from '../schema/schema.ts'
import { type LocatedSchema, type Resource, SchemaDocument } from '../schema/schema-document.ts'
import { Undecided } from './proof-limits.ts'

export class MissingTarget extends Undecided {
  /** Equal for references to the same external schema. */
  readonly uri: string

  constructor(uri: string, reason: string) {
    super(reason)
    this.uri = uri
  }
}

export class Registry extends SchemaDocument {
  private readonly side: number

  /**
   * @param others documents that references may lead to, such as the meta-schemas, by address
   * @param side distinguishes the documents of one question; the ids of the nodes start here and increase by two
   * @throws Undecided
   */
  constructor(schema: unknown, dialect: Dialect, others: ReadonlyMap<string, UnknownObject>, side: number) {
    if (!isSchema(schema)) throw new Undecided('there is no schema at the root')
    super(schema, dialect, others, side)
    this.side = side
  }

  override child(parent: LocatedSchema, schema: unknown, ...steps: (string | number)[]): LocatedSchema {
    const found = super.child(parent, schema, ...steps)
    if (!found) throw new Undecided(`there is no schema at ${parent.path}/${steps.join('/')}`)
    return found
  }

  /** @throws MissingTarget if the target does not exist */
  override resolve(reference: string, from: LocatedSchema): LocatedSchema {
    const found = super.resolve(reference, from)
    if (found) return found
    const { uri, fragment, isInside } = this.absolute(reference, from)
    if (isInside)
      throw new MissingTarget(`${this.side} ${uri}#${fragment}`, `the reference ${reference} has no target`)
    throw new MissingTarget(`${uri}#${fragment}`, `the reference ${reference} leads outside the schema`)
  }

  /** Returns the targets of `$ref`, `$recursiveRef` and `$dynamicRef`. @throws MissingTarget */
  references({ node, scope }: ScopedSchema, schema: UnknownObject): ScopedSchema[] {
    const result: ScopedSchema[] = []
    const { dialect } = node.resource
    for (const [keyword, since] of referenceKeywords) {
      const reference = own(schema, keyword)
      if (typeof reference !== 'string' || !isSince(dialect, since)) continue
      const found = this.resolve(reference, node)
      // Only a name can be dynamic; a pointer always leads to the same target.
      const anchor = keyword === '$ref' ? undefined : this.absolute(reference, node).fragment
      const target = anchor === undefined ? found : scope.target(found, anchor)
      result.push({ node: target, scope: scope.enter(found.resource).enter(target.resource) })
    }
    return result
  }
}

const referenceKeywords: readonly (readonly [string, Dialect])[] = [
  ['$ref', 'draft-04'],
  ['$recursiveRef', '2019-09'],
  ['$dynamicRef', '2020-12'],
]

/** A schema's location, and the dynamic anchors that are bound there. */
export interface ScopedSchema {
  readonly node: LocatedSchema
  readonly scope: DynamicScope
}

/** The schema for each `$dynamicAnchor`, given the resources that were entered before. */
export class DynamicScope {
  static readonly outside = new DynamicScope(new Map())
  private readonly bound: ReadonlyMap<string, LocatedSchema>
  /** Equal for equal scopes. */
  readonly key: string

  private constructor(bound: ReadonlyMap<string, LocatedSchema>) {
    this.bound = bound
    this.key = [...bound].map(([anchor, node]) => `${anchor}=${node.id}`).join()
  }

  /** The outermost anchor with a name wins. */
  enter(resource: Resource): DynamicScope {
    if (resource.dynamicAnchors.size === 0) return this
    const added = [...resource.dynamicAnchors].filter(([anchor]) => !this.bound.has(anchor))
    return added.length === 0 ? this : new DynamicScope(new Map([...this.bound, ...added]))
  }

  /** Returns the schema that a dynamic reference by `anchor` means here; outside any scope it leads to `target`. */
  target(target: LocatedSchema, anchor: string): LocatedSchema {
    return target.resource.dynamicAnchors.get(anchor) === target ? (this.bound.get(anchor) ?? target) : target
  }
}
