/** Which references of a schema lead back to a place that holds them. */
import type { Reference, SchemaNode } from './schema-nodes.ts'

/** Steps of the search in all; a schema that needs more is called not recursive where it stopped. */
const MAX_STEPS = 500_000

/** References that are part of a cycle, in the order given. */
export function recursiveReferences(references: readonly Reference[]): readonly Reference[] {
  const targets = new Set<unknown>(references.map(({ target }) => target))
  // From a target one gets to every reference that stands somewhere inside it.
  const inside = new Map<unknown, number[]>()
  for (const [index, { node }] of references.entries())
    for (const holder of holders(node, targets)) {
      const known = inside.get(holder)
      if (known) known.push(index)
      else inside.set(holder, [index])
    }
  let left = MAX_STEPS
  return references.filter(({ target }, index) => target !== undefined && reaches(target, index))

  function reaches(start: unknown, wanted: number): boolean {
    const seen = new Set<unknown>([start])
    const queue: unknown[] = [start]
    for (let at = 0; at < queue.length; at++)
      for (const index of inside.get(queue[at]) ?? []) {
        if (index === wanted) return true
        left -= 1
        if (left < 0) return false
        const target = references[index]?.target
        if (target !== undefined && !seen.has(target)) {
          seen.add(target)
          queue.push(target)
        }
      }
    return false
  }
}

/** The targets among a node and what is around it. */
function holders(node: SchemaNode, targets: ReadonlySet<unknown>): unknown[] {
  const found: unknown[] = []
  for (let current: SchemaNode | undefined = node; current !== undefined; current = current.parent)
    if (typeof current.schema !== 'boolean' && targets.has(current.schema)) found.push(current.schema)
  return found
}
