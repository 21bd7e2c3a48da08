/** Which issues of a draft are shown: those of places that the user has left, not of one that is still being filled. */

import { jsonEquals } from '../../../core/json/equality.ts'
import type { Json } from '../../../core/json/json.ts'
import { pointerSegments, valueAt } from '../../../core/json/pointer.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'

const none: readonly ValidationIssue[] = []

/** Places are JSON pointers. */
export class ShownIssues {
  private issues = new Map<string, readonly ValidationIssue[]>()
  private left = new Set<string>()
  /** The value as it came from outside. */
  private given: Json | undefined
  /** The value that was replaced last, and what was left in it. */
  private replaced: { readonly root: Json | undefined; readonly left: Set<string> } | undefined

  constructor(given: Json | undefined) {
    this.given = given
  }

  /** What came from outside and was not touched since counts as left. */
  set(issues: readonly ValidationIssue[], root: Json | undefined): void {
    this.issues = new Map()
    for (const issue of issues) {
      this.issues.set(issue.path, [...(this.issues.get(issue.path) ?? []), issue])
      const path = pointerSegments(issue.path)
      const value = valueAt(root, path)
      if (value !== undefined && Object.is(value, valueAt(this.given, path))) this.left.add(issue.path)
    }
  }

  /** Returns whether more issues are shown now. */
  showAt(places: readonly string[]): boolean {
    const fresh = places.filter(place => !this.left.has(place))
    for (const place of fresh) this.left.add(place)
    return fresh.some(place => this.issues.has(place))
  }

  /** The whole value was replaced. Without one all begins anew; the former value again (undo) brings all back. */
  replace(before: Json | undefined, after: Json | undefined): void {
    const isUndo = this.replaced !== undefined && jsonEquals(this.replaced.root, after)
    const left = isUndo && this.replaced ? this.replaced.left : after === undefined ? [] : this.left
    this.replaced = { root: before, left: this.left }
    this.left = new Set(left)
    this.given = after
  }

  /** The items of a list changed their places. `order`: the former index of each; undefined: a new item. */
  reorder(list: string, order: readonly (number | undefined)[]): void {
    const start = `${list}/`
    const inList = [...this.left].filter(place => place.startsWith(start))
    for (const place of inList) this.left.delete(place)
    for (const place of inList) {
      const [index = '', ...rest] = place.slice(start.length).split('/')
      const moved = order.indexOf(Number(index))
      if (moved >= 0) this.left.add([list, moved, ...rest].join('/'))
    }
  }

  /** The list keeps its identity until issues change. */
  at(place: string): readonly ValidationIssue[] {
    return (this.left.has(place) && this.issues.get(place)) || none
  }

  /** Whether a place strictly below has one. */
  isAnyBelow(place: string): boolean {
    const start = `${place}/`
    for (const each of this.issues.keys()) if (each.startsWith(start) && this.left.has(each)) return true
    return false
  }

  get isEmpty(): boolean {
    return this.issues.size === 0
  }
}
