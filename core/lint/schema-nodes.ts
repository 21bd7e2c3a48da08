/** All schemas inside a schema, without following references: what the rules look at. */
import { type Fields, isFields, own } from '../json/fields.ts'
import { resolveRef } from '../json-schema/resolve-ref.ts'
import type { JsonSchema } from '../tool/tool.ts'

export interface SchemaNode {
  readonly schema: boolean | Fields
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
  /** There were more than the limit: what is said of the rest is nothing. */
  readonly truncated: boolean
}

const maps = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items']
const singles = [
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'propertyNames',
  'contains',
  'contentSchema',
  'not',
  'if',
  'then',
  'else',
]

/** A schema of more parts than this is looked at in part. */
export const MAX_NODES = 20_000

/** Breadth first and without recursion: a schema nested a hundred thousand deep is one loop. */
export function schemaNodes(root: unknown, limit = MAX_NODES): SchemaNodes {
  if (typeof root !== 'boolean' && !isFields(root)) return { nodes: [], truncated: false }
  const nodes: SchemaNode[] = [
    { schema: root, step: '', keyword: '', objectDepth: isObjectSchema(root) ? 1 : 0 },
  ]
  for (let at = 0; at < nodes.length; at++) {
    const parent = nodes[at]
    if (parent === undefined || !isFields(parent.schema)) continue
    for (const [keyword, name, schema] of childrenOf(parent.schema)) {
      if (nodes.length >= limit) return { nodes, truncated: true }
      const step =
        name === undefined
          ? `/${escapeSegment(keyword)}`
          : `/${escapeSegment(keyword)}/${escapeSegment(name)}`
      const objectDepth = parent.objectDepth + (isObjectSchema(schema) ? 1 : 0)
      nodes.push({ schema, parent, step, keyword, objectDepth, ...(name === undefined ? {} : { name }) })
    }
  }
  return { nodes, truncated: false }
}

/** `type: "object"`, alone or among others, or at least `properties`. */
export function isObjectSchema(schema: unknown): boolean {
  if (!isFields(schema)) return false
  const type = own(schema, 'type')
  return (
    type === 'object' ||
    (Array.isArray(type) && type.includes('object')) ||
    isFields(own(schema, 'properties'))
  )
}

/** A `$ref` and what it leads to inside of its own schema; no target where it leads nowhere or elsewhere. */
export interface Reference {
  readonly node: SchemaNode
  readonly ref: string
  readonly target: JsonSchema | undefined
}

/** A schema of more references is looked at in part. */
const MAX_REFERENCES = 500
/** A reference by name or id costs a look at every definition. */
const MAX_NAMED = 50

export function referencesOf(root: JsonSchema, nodes: readonly SchemaNode[]): readonly Reference[] {
  const found: Reference[] = []
  let named = 0
  for (const node of nodes) {
    const ref = isFields(node.schema) ? own(node.schema, '$ref') : undefined
    if (typeof ref !== 'string') continue
    if (ref !== '#' && !ref.startsWith('#/')) named += 1
    if (named > MAX_NAMED) break
    found.push({ node, ref, target: resolveRef(root, ref) })
    if (found.length >= MAX_REFERENCES) break
  }
  return found
}

const MAX_STEPS = 64

/** JSON Pointer of a node below `prefix`; of a very deep one, the last steps after `…`. */
export function pointerOf(node: SchemaNode, prefix = '/inputSchema'): string {
  const steps: string[] = []
  let current: SchemaNode | undefined = node
  while (current?.parent !== undefined && steps.length < MAX_STEPS) {
    steps.push(current.step)
    current = current.parent
  }
  return `${prefix}${current?.parent === undefined ? '' : '/…'}${steps.reverse().join('')}`
}

function* childrenOf(schema: Fields): Generator<[string, string | undefined, boolean | Fields]> {
  for (const keyword of maps) {
    const map = own(schema, keyword)
    if (!isFields(map)) continue
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

const isSchema = (value: unknown): value is boolean | Fields => typeof value === 'boolean' || isFields(value)

const escapeSegment = (segment: string) => segment.replaceAll('~', '~0').replaceAll('/', '~1')
