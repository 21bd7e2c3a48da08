/** Decides which fields an object shows for its current value: conditions and dependencies add some. */

import { isObject, type JsonObject } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { testPattern } from '../validation/safe-pattern.ts'
import { partValidators, type Validate } from '../validation/schema-validator.ts'
import type { FormProperty, ObjectNode } from './form-node.ts'
import type { FormPlanner } from './form-schema.ts'

export interface ObjectFields {
  readonly properties: readonly FormProperty[]
  /** Keys of the value that match no property, each with the schema that describes it. */
  readonly extras: readonly { readonly name: string; readonly schema: JsonSchema; readonly known: boolean }[]
}

/**
 * Returns whether the schema says nothing about keys. Many servers write such a schema for a tool without parameters.
 */
export function hasNoParameters(node: ObjectNode): boolean {
  const { properties, additionalStated, conditionals, dependentSchemas, demands } = node
  const said = [...properties, ...conditionals, ...dependentSchemas, ...demands]
  return said.length === 0 && !additionalStated
}

/** @param value the current object; `undefined` if it is absent */
export function objectFields(
  planner: FormPlanner,
  node: ObjectNode,
  value: JsonObject | undefined,
): ObjectFields {
  const present = value ?? {}
  const properties = new Map(node.properties.map(property => [property.name, property]))
  for (const schema of activeSchemas(planner, node, present)) addFields(properties, planner, schema, present)
  for (const [key, names] of node.dependentRequired)
    if (Object.hasOwn(present, key)) for (const name of names) demand(properties, name, node.additional)
  const extras = Object.keys(present)
    .filter(name => !properties.has(name))
    .map(name => ({ name, ...extraSchema(node, name) }))
  return { properties: [...properties.values()], extras }
}

/**
 * Returns the schema for a key that matches no property: that of the first matching pattern, else of additional keys.
 */
export function extraSchema(node: ObjectNode, name: string): { schema: JsonSchema; known: boolean } {
  const matching = node.patterns.find(({ pattern }) => testPattern(pattern, name))
  if (matching) return { schema: matching.schema, known: true }
  return node.additional === false ? { schema: true, known: false } : { schema: node.additional, known: true }
}

function activeSchemas(planner: FormPlanner, node: ObjectNode, value: JsonObject): JsonSchema[] {
  const dependent = node.dependentSchemas.flatMap(([key, schema]) =>
    Object.hasOwn(value, key) ? [schema] : [],
  )
  const conditional = node.conditionals.map(({ if: test, then, else: otherwise }) =>
    isValid(planner, test, value) ? then : otherwise,
  )
  return [...dependent, ...conditional].filter(isObject)
}

function addFields(
  properties: Map<string, FormProperty>,
  planner: FormPlanner,
  schema: JsonSchema,
  value: JsonObject,
): void {
  const inner = planner.plan(schema)
  if (inner.kind !== 'object') return
  for (const added of objectFields(planner, inner, value).properties) {
    const known = properties.get(added.name)
    properties.set(added.name, {
      name: added.name,
      schema: known ? joined(known.schema, added.schema) : added.schema,
      required: added.required || (known?.required ?? false),
    })
  }
}

function demand(properties: Map<string, FormProperty>, name: string, additional: JsonSchema): void {
  const known = properties.get(name)
  properties.set(name, { name, schema: known?.schema ?? (additional || true), required: true })
}

const joins = new WeakMap<object, Map<JsonSchema, JsonSchema>>()

/** Returns both schemas as one; always the same object, so that its rendering is kept. */
function joined(left: JsonSchema, right: JsonSchema): JsonSchema {
  if (!isObject(left)) return right
  if (right === true) return left
  const known = joins.get(left) ?? new Map<JsonSchema, JsonSchema>()
  joins.set(left, known)
  const join = known.get(right) ?? { allOf: [left, right] }
  known.set(right, join)
  return join
}

const readers = new WeakMap<FormPlanner, ReturnType<typeof partValidators>>()
const validators = new WeakMap<object, Validate>()

/** A condition with an unsupported pattern counts as unmet: its fields can still be added as keys. */
function isValid(planner: FormPlanner, condition: JsonSchema, value: JsonObject): boolean {
  if (!isObject(condition)) return condition
  const reader = readers.get(planner) ?? partValidators(planner.root)
  readers.set(planner, reader)
  const validate = validators.get(condition) ?? reader(condition)
  validators.set(condition, validate)
  return validate(value).verdict === 'valid'
}
