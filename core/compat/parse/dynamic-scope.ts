/** Which schema each `$dynamicAnchor` means, given the resources that were entered on the way. */
import type { LocatedSchema, Resource } from './registry.ts'

export class DynamicScope {
  static readonly outside = new DynamicScope(new Map())
  private readonly bound: ReadonlyMap<string, LocatedSchema>
  /** Equal scopes have equal keys. */
  readonly key: string

  private constructor(bound: ReadonlyMap<string, LocatedSchema>) {
    this.bound = bound
    this.key = [...bound].map(([anchor, node]) => `${anchor}=${node.id}`).join()
  }

  /** The outermost anchor of a name wins. */
  enter(resource: Resource): DynamicScope {
    const added = [...resource.dynamicAnchors].filter(([anchor]) => !this.bound.has(anchor))
    return added.length === 0 ? this : new DynamicScope(new Map([...this.bound, ...added]))
  }

  /** What a `$dynamicRef` that statically leads to `target` means here. */
  target(target: LocatedSchema): LocatedSchema {
    for (const [anchor, node] of target.resource.dynamicAnchors)
      if (node === target) return this.bound.get(anchor) ?? target
    return target
  }
}
