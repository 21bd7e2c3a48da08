/** Reads the fields of a tool's input in the author's order. */

import type { FormNode } from '../form/form-node.ts'
import { type FormPlanner, getFormPlanner } from '../form/form-schema.ts'
import { isObject, own } from '../json/json.ts'
import { callerSchema } from '../schema/caller-schema.ts'
import { resolveRef } from '../schema/schema-document.ts'
import type { JsonSchema } from '../tool/tool.ts'

export interface SchemaField {
  readonly name: string
  readonly schema: JsonSchema
  /** A field with a default, or one that only some variants require, is optional. */
  readonly required: boolean
}

/** A schema with its planner, which can plan all its parts, including references. */
export interface OpenSchema {
  readonly planner: FormPlanner
  readonly fields: readonly SchemaField[]
}

/** Maximum variants of one level that are searched for fields. */
const maxVariants = 100

/** Opens an input schema as it binds a caller. Accepts any JSON; never throws. */
export function openInput(inputSchema: JsonSchema): OpenSchema {
  const schema = callerSchema(inputSchema)
  const planner = getFormPlanner(schema)
  return { planner, fields: listLevelFields(planner, planSchema(planner, schema)) }
}

/** Maximum chain of references. */
const maxHops = 20

/**
 * Returns the plan of a schema. A bare reference returns the node of its target: a schema of a thousand fields that all
 * refer to the root is planned once, and a cycle is found at its first turn.
 */
export function planSchema(planner: FormPlanner, schema: JsonSchema): FormNode {
  let target = schema
  for (let hop = 0; hop < maxHops && isObject(target) && Object.keys(target).length === 1; hop++) {
    const ref = own(target, '$ref')
    const found = typeof ref === 'string' ? resolveRef(planner.root, ref) : undefined
    if (found === undefined) break
    target = found
  }
  return planner.plan(target)
}

/** Returns the fields of one level: an object's own, those of its conditions, and those of every variant of a union. */
function listLevelFields(planner: FormPlanner, node: FormNode): SchemaField[] {
  const found = new Map<string, SchemaField>()
  collect(planner, node, true, found, new Set())
  return [...found.values()]
}

function collect(
  planner: FormPlanner,
  node: FormNode,
  isRequired: boolean,
  found: Map<string, SchemaField>,
  seen: Set<FormNode>,
): void {
  if (seen.has(node) || seen.size > maxVariants) return
  seen.add(node)
  const add = (name: string, schema: JsonSchema, required: boolean) => {
    if (!found.has(name)) found.set(name, { name, schema, required: required && isRequired })
  }
  if (node.kind === 'object') {
    for (const { name, schema, required } of node.properties) add(name, schema, required)
    for (const { then, else: otherwise } of node.conditionals)
      for (const branch of [then, otherwise])
        collect(planner, planSchema(planner, branch), false, found, seen)
    for (const [, schema] of node.dependentSchemas)
      collect(planner, planSchema(planner, schema), false, found, seen)
  }
  if (node.kind === 'union')
    for (const branch of node.branches)
      collect(planner, planSchema(planner, branch.schema), false, found, seen)
  // A property with an invalid schema (`"limit": 5`) is declared too.
  const declared = own(node.schema, 'properties')
  if (isObject(declared)) for (const name of Object.keys(declared)) add(name, true, false)
}
