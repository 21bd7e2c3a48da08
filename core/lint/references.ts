/** The `$ref`s of a schema: their targets, and which of them form a cycle. */
import { isObject, own } from '../json/json.ts'
import { resolveRef } from '../schema/schema-document.ts'
import type { JsonSchema } from '../tool/tool.ts'
import type { SchemaNode } from './schema-nodes.ts'

/** A `$ref` and its target in the same schema; the target is absent if it leads nowhere or outside. */
export interface SchemaReference {
  readonly node: SchemaNode
  readonly ref: string
  readonly target: JsonSchema | undefined
}

/** The limit of references to read in one schema. */
const maxReferences = 500
/** The limit of steps in the search for cycles. References that are left at the limit count as not recursive. */
const maxCycleSteps = 500_000

export function findReferences(root: JsonSchema, nodes: readonly SchemaNode[]): readonly SchemaReference[] {
  const found: SchemaReference[] = []
  for (const node of nodes) {
    const ref = isObject(node.schema) ? own(node.schema, '$ref') : undefined
    if (typeof ref !== 'string') continue
    found.push({ node, ref, target: resolveRef(root, ref) })
    if (found.length >= maxReferences) break
  }
  return found
}

/** Returns the references that are part of a cycle, in the given order. */
export function recursiveReferences(references: readonly SchemaReference[]): readonly SchemaReference[] {
  const targets = new Set<unknown>(references.map(({ target }) => target))
  // A target leads to every reference inside it.
  const inside = new Map<unknown, number[]>()
  for (const [index, { node }] of references.entries())
    for (const target of targetsAround(node, targets)) {
      const indexes = inside.get(target)
      if (indexes) indexes.push(index)
      else inside.set(target, [index])
    }
  let stepsLeft = maxCycleSteps
  return references.filter(({ target }, index) => target !== undefined && reaches(target, index))

  function reaches(start: unknown, wanted: number): boolean {
    const seen = new Set<unknown>([start])
    const queue: unknown[] = [start]
    for (let at = 0; at < queue.length; at++)
      for (const index of inside.get(queue[at]) ?? []) {
        if (index === wanted) return true
        stepsLeft -= 1
        if (stepsLeft < 0) return false
        const target = references[index]?.target
        if (target !== undefined && !seen.has(target)) {
          seen.add(target)
          queue.push(target)
        }
      }
    return false
  }
}

/** Returns the targets among a node and the nodes around it. */
function targetsAround(node: SchemaNode, targets: ReadonlySet<unknown>): unknown[] {
  const found: unknown[] = []
  for (let current: SchemaNode | undefined = node; current !== undefined; current = current.parent)
    if (typeof current.schema !== 'boolean' && targets.has(current.schema)) found.push(current.schema)
  return found
}
