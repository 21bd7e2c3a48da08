/** Lists all schemas inside a schema, without following references. */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { toPointer } from '../json/pointer.ts'
import { isSchema } from '../schema/schema.ts'
import { subschemas } from '../schema/walk-schema.ts'

export interface SchemaNode {
  readonly schema: boolean | UnknownObject
  readonly parent?: SchemaNode
  /** The JSON Pointer from the parent: `/properties/name`. */
  readonly step: string
  /** The keyword of the parent that contains it; `''` for the root. */
  readonly keyword: string
  /** The property's name, if the keyword is a map. */
  readonly name?: string
  /** How many object schemas contain it, itself included. */
  readonly objectDepth: number
}

export interface SchemaNodes {
  readonly nodes: readonly SchemaNode[]
  /** Whether there were more than the limit; those are not checked. */
  readonly truncated: boolean
}

/** The limit of schemas to read inside one schema. */
const maxNodes = 20_000
/** How many steps of a JSON Pointer are written. */
const maxPointerSteps = 64

/** Lists schemas breadth first, in a loop, so that a schema may be nested a hundred thousand levels deep. */
export function schemaNodes(root: unknown, limit = maxNodes): SchemaNodes {
  if (typeof root !== 'boolean' && !isObject(root)) return { nodes: [], truncated: false }
  const nodes: SchemaNode[] = [
    { schema: root, step: '', keyword: '', objectDepth: isObjectSchema(root) ? 1 : 0 },
  ]
  for (let at = 0; at < nodes.length; at++) {
    const parent = nodes[at]
    if (parent === undefined || !isObject(parent.schema)) continue
    for (const { schema, path } of subschemas(parent.schema)) {
      if (!isSchema(schema)) continue
      if (nodes.length >= limit) return { nodes, truncated: true }
      const [keyword, key] = path
      const step = toPointer(path)
      const objectDepth = parent.objectDepth + (isObjectSchema(schema) ? 1 : 0)
      nodes.push({
        schema,
        parent,
        step,
        keyword,
        objectDepth,
        ...(key === undefined ? {} : { name: String(key) }),
      })
    }
  }
  return { nodes, truncated: false }
}

/** Returns whether `type` is this type or a list with it. */
export function hasType(schema: unknown, wanted: string): boolean {
  const type = isObject(schema) ? own(schema, 'type') : undefined
  return type === wanted || (Array.isArray(type) && type.includes(wanted))
}

/** Returns whether a schema has the type object, also in a list, or at least `properties`. */
export function isObjectSchema(schema: unknown): boolean {
  return hasType(schema, 'object') || (isObject(schema) && isObject(own(schema, 'properties')))
}

export function isRootProperty({ parent, keyword }: SchemaNode): boolean {
  return parent !== undefined && parent.parent === undefined && keyword === 'properties'
}

/** Returns the JSON Pointer of a node below `prefix`; for a very deep node, the last steps after `…`. */
export function toNodePointer(node: SchemaNode, prefix = '/inputSchema'): string {
  const steps: string[] = []
  let current: SchemaNode | undefined = node
  while (current?.parent !== undefined && steps.length < maxPointerSteps) {
    steps.push(current.step)
    current = current.parent
  }
  return `${prefix}${current?.parent === undefined ? '' : '/…'}${steps.reverse().join('')}`
}
