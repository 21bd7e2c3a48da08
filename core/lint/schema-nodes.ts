/** All schemas inside a schema, without following references. */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { toPointer } from '../json/pointer.ts'
import { isSchema } from '../schema/schema.ts'
import { subschemas } from '../schema/walk.ts'

export interface SchemaNode {
  readonly schema: boolean | UnknownObject
  readonly parent?: SchemaNode
  /** From the parent: `/properties/name`. */
  readonly step: string
  /** The keyword of the parent that holds it; `''` for the root. */
  readonly keyword: string
  /** The property's name where the keyword is a map. */
  readonly name?: string
  /** How many object schemas lie around it, itself included. */
  readonly objectDepth: number
}

export interface SchemaNodes {
  readonly nodes: readonly SchemaNode[]
  /** There were more than the limit; they are not checked. */
  readonly truncated: boolean
}

/** Schemas that are read inside one schema. */
const maxNodes = 20_000
/** Steps of a JSON Pointer that are written out. */
const maxPointerSteps = 64

/** Breadth first and without recursion: a schema nested a hundred thousand deep is one loop. */
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

/** Whether `type` is this type, alone or in a list. */
export function hasType(schema: unknown, wanted: string): boolean {
  const type = isObject(schema) ? own(schema, 'type') : undefined
  return type === wanted || (Array.isArray(type) && type.includes(wanted))
}

/** `type: "object"`, alone or in a list, or at least `properties`. */
export function isObjectSchema(schema: unknown): boolean {
  return hasType(schema, 'object') || (isObject(schema) && isObject(own(schema, 'properties')))
}

export function isRootProperty({ parent, keyword }: SchemaNode): boolean {
  return parent !== undefined && parent.parent === undefined && keyword === 'properties'
}

/** JSON Pointer of a node below `prefix`; of a very deep one, the last steps after `…`. */
export function pointerOf(node: SchemaNode, prefix = '/inputSchema'): string {
  const steps: string[] = []
  let current: SchemaNode | undefined = node
  while (current?.parent !== undefined && steps.length < maxPointerSteps) {
    steps.push(current.step)
    current = current.parent
  }
  return `${prefix}${current?.parent === undefined ? '' : '/…'}${steps.reverse().join('')}`
}
