/** Matches the branches of an old list with those of the new: the order of alternatives has no meaning. */

import { JsonIndex, jsonEquals } from '../../json/equality.ts'
import { isObject, own } from '../../json/json.ts'
import { nameSimilarity } from '../similarity.ts'

export interface BranchMatch {
  /** Index before, index after. */
  readonly pairs: readonly (readonly [number, number])[]
  readonly removed: readonly number[]
  readonly added: readonly number[]
}

/** Matches equal branches first, then the most similar ones; the rest was added or removed. */
export function matchBranches(before: readonly unknown[], after: readonly unknown[]): BranchMatch {
  const left = new Set(before.keys())
  const right = new Set(after.keys())
  const pairs: [number, number][] = []
  const match = (from: number, to: number) => {
    pairs.push([from, to])
    left.delete(from)
    right.delete(to)
  }
  const equal = new JsonIndex<number>()
  for (const [to, branch] of [...after.entries()].reverse()) equal.add(branch, to)
  for (const [from, branch] of before.entries()) {
    const to = equal.entriesOf(branch)?.pop()
    if (to !== undefined) match(from, to)
  }
  if (left.size * right.size <= 2_500) {
    const scored = [...left].flatMap(from =>
      [...right].map(to => ({ from, to, score: branchLikeness(before[from], after[to]) })),
    )
    for (const { from, to, score } of scored.toSorted((a, b) => b.score - a.score))
      if (score >= 0.4 && left.has(from) && right.has(to)) match(from, to)
  }
  return { pairs: pairs.toSorted((a, b) => a[0] - b[0]), removed: [...left], added: [...right] }
}

function branchLikeness(a: unknown, b: unknown): number {
  if (!isObject(a) || !isObject(b)) return 0
  if (!jsonEquals(own(a, 'type'), own(b, 'type'))) return 0
  const title = [own(a, 'title'), own(b, 'title')]
  if (typeof title[0] === 'string' && title[0] === title[1]) return 1
  const left = readBranchProperties(a)
  const right = readBranchProperties(b)
  const [fixedLeft, fixedRight] = [constants(left), constants(right)]
  const shared = [...fixedLeft.keys()].filter(name => fixedRight.has(name))
  // A property with a fixed value in both distinguishes the branches.
  if (shared.length > 0) {
    const same = shared.filter(name => jsonEquals(fixedLeft.get(name), fixedRight.get(name))).length
    return same / shared.length
  }
  const names = Object.keys(left)
  const others = new Set(Object.keys(right))
  if (names.length + others.size === 0) return Object.hasOwn(a, 'const') ? 0 : 0.6
  const common = names.filter(name => others.has(name)).length
  return (
    common / Math.max(names.length, others.size) ||
    nameSimilarity(names.join(' '), [...others].join(' ')) * 0.5
  )
}

function readBranchProperties(branch: object): { readonly [name: string]: unknown } {
  const properties = Object.hasOwn(branch, 'properties')
    ? (branch as { properties: unknown }).properties
    : undefined
  return isObject(properties) ? properties : {}
}

function constants(properties: object): Map<string, unknown> {
  return new Map(
    Object.entries(properties).flatMap(([name, schema]) =>
      isObject(schema) && Object.hasOwn(schema, 'const') ? [[name, schema.const] as const] : [],
    ),
  )
}
