/** All schemas inside a schema, without following references. */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { toPointer } from '../json/pointer.ts'

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

const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']
const singles = [
  ...['items', 'additionalItems', 'additionalProperties', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['propertyNames', 'contains', 'contentSchema', 'not', 'if', 'then', 'else'],
]

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
    for (const [keyword, name, schema] of childrenOf(parent.schema)) {
      if (nodes.length >= limit) return { nodes, truncated: true }
      const step = toPointer(name === undefined ? [keyword] : [keyword, name])
      const objectDepth = parent.objectDepth + (isObjectSchema(schema) ? 1 : 0)
      nodes.push({ schema, parent, step, keyword, objectDepth, ...(name === undefined ? {} : { name }) })
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

function* childrenOf(
  schema: UnknownObject,
): Generator<[string, string | undefined, boolean | UnknownObject]> {
  for (const keyword of maps) {
    const map = own(schema, keyword)
    if (!isObject(map)) continue
    for (const name in map) {
      const child = own(map, name)
      if (isSchema(child)) yield [keyword, name, child]
    }
  }
  for (const keyword of lists) {
    const list = own(schema, keyword)
    if (!Array.isArray(list)) continue
    for (const [index, child] of list.entries()) if (isSchema(child)) yield [keyword, String(index), child]
  }
  for (const keyword of singles) {
    const child = own(schema, keyword)
    if (isSchema(child)) yield [keyword, undefined, child]
  }
}

const isSchema = (value: unknown): value is boolean | UnknownObject =>
  typeof value === 'boolean' || isObject(value)
