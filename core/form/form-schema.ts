/**
 * Converts a schema to what a form draws, one level at a time and on demand: only opened levels of a recursive or
 * exponential schema cost time. Only for rendering: verdicts come from the schema as written.
 *
 * Every valid value can be shown: if it does not fit the planned control, the form falls back to a control for the
 * value itself (see `fitsNode`).
 */
import { isObject, type Json, jsonType } from '../json/json.ts'
import { isSchema, type SchemaObject } from '../schema/schema.ts'
import { inferTypes } from '../schema/type-words.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { type FlatSchema, flattenSchema, type UnionOf, withoutUnion } from './flatten-schema.ts'
import type { FormNode, FormProperty, KeyDemand, NodeShape, StringControl } from './form-node.ts'
import {
  asKeyDemand,
  asOptions,
  buildBranches,
  isNullSchema,
  optionLabel,
  spreadMembers,
} from './union-branches.ts'

export interface FormPlanner {
  readonly root: JsonSchema
  /** Returns what to draw for this schema; the same result object for the same schema object. Never throws. */
  plan(schema: JsonSchema): FormNode
}

const planners = new WeakMap<object, FormPlanner>()

/** Returns the planner for one tool's schema; `root` resolves references. Form, usage line and reference share it. */
export function getFormPlanner(root: JsonSchema): FormPlanner {
  if (!isObject(root)) return newPlanner(root)
  const planner = planners.get(root) ?? newPlanner(root)
  planners.set(root, planner)
  return planner
}

function newPlanner(root: JsonSchema): FormPlanner {
  const known = new WeakMap<object, FormNode>()
  return {
    root,
    plan(schema) {
      if (!isObject(schema)) return schema ? anything : nothing
      const planned = known.get(schema) ?? planFlat(flattenSchema(schema, root), root)
      known.set(schema, planned)
      return planned
    },
  }
}

/** Returns true if the control of `node` can show and edit `value` unchanged. */
export function fitsNode(node: FormNode, value: Json): boolean {
  const type = jsonType(value)
  if (value === null) return node.nullable || ['null', 'any', 'union', 'enum', 'const'].includes(node.kind)
  switch (node.kind) {
    case 'string':
    case 'boolean':
    case 'object':
    case 'array':
      return type === node.kind
    case 'number':
      return type === 'number'
    case 'null':
    case 'never':
      return false
    case 'const':
    case 'enum':
    case 'union':
    case 'any':
      return true
  }
}

const anything: FormNode = { kind: 'any', schema: {}, nullable: false, notices: [] }
const nothing: FormNode = { kind: 'never', schema: {}, nullable: false, notices: [] }

/** Maximum chain of unions with one member: a schema may have a cycle of them. */
const deepestUnion = 20

function planFlat(flat: FlatSchema, root: JsonSchema, depth = 0): FormNode {
  if (flat.never) return { ...nothing, schema: flat.keywords }
  const { keywords } = flat
  const { types, unknown } = inferTypes(keywords)
  const notices = [...flat.notices, ...unknown.map(name => `“${name}” is not a type of JSON Schema.`)]
  const withNull = types.includes('null') && types.length > 1
  const make = (shape: NodeShape, nullable: boolean): FormNode => ({
    ...shape,
    schema: keywords,
    nullable,
    notices,
  })

  if (Object.hasOwn(keywords, 'const')) return make({ kind: 'const', value: keywords.const as Json }, false)
  if (Array.isArray(keywords.enum) && keywords.enum.length > 0)
    return make({ kind: 'enum', options: enumOptions(keywords) }, false)

  const demands = flat.unions.map(asKeyDemand)
  const union = flat.unions.find((_, index) => demands[index] === null)
  if (union) return planUnion(flat, union, root, make, withNull, depth)

  const solid = types.filter(type => type !== 'null')
  const [type] = solid
  if (solid.length > 1) {
    const members = solid.map((name): JsonSchema => ({ type: name }))
    const typeUnion: UnionOf = { keyword: 'anyOf', members }
    const { type: _type, ...untyped } = keywords
    const branches = buildBranches({ ...flat, keywords: untyped }, typeUnion, members, root)
    return make({ kind: 'union', keyword: 'anyOf', branches }, withNull)
  }
  const keyDemands = demands.filter(demand => demand !== null)
  if (type === undefined) {
    if (types.includes('null')) return make({ kind: 'null' }, false)
    const structured = keyDemands.length + flat.conditionals.length + flat.dependentSchemas.length > 0
    return make(structured ? planObject(flat, keyDemands) : { kind: 'any' }, false)
  }
  return make(planType(type, flat, keyDemands), withNull)
}

function planType(type: string, flat: FlatSchema, demands: readonly KeyDemand[]): NodeShape {
  switch (type) {
    case 'object':
      return planObject(flat, demands)
    case 'array':
      return planArray(flat.keywords)
    case 'boolean':
      return { kind: 'boolean' }
    case 'number':
    case 'integer':
      return { kind: 'number', integer: type === 'integer' }
    default:
      return { kind: 'string', control: stringControl(flat.keywords), suggestions: [] }
  }
}

function planUnion(
  flat: FlatSchema,
  union: UnionOf,
  root: JsonSchema,
  make: (shape: NodeShape, nullable: boolean) => FormNode,
  baseNull: boolean,
  depth: number,
): FormNode {
  const spread = spreadMembers(union.members, union.keyword).filter(member => member !== false)
  const members = spread.filter(member => !isNullSchema(member))
  const nullable = baseNull || members.length < spread.length
  const [only] = members
  if (only === undefined) return make({ kind: 'null' }, false)
  if (members.length === 1) {
    if (depth > deepestUnion) return make({ kind: 'any' }, nullable)
    const merged = planFlat(
      flattenSchema({ allOf: [withoutUnion(flat, union), only] }, root),
      root,
      depth + 1,
    )
    return {
      ...merged,
      schema: { ...merged.schema, ...flat.keywords },
      nullable: nullable || merged.nullable,
      notices: [...new Set([...flat.notices, ...merged.notices])],
    }
  }
  const options = asOptions(members)
  if (options) {
    const all = nullable ? [...options, { value: null, label: 'null' }] : options
    return make({ kind: 'enum', options: all }, false)
  }
  const suggestions = suggestedTexts(members)
  if (suggestions) return make({ kind: 'string', control: 'text', suggestions }, nullable)
  return make(
    { kind: 'union', keyword: union.keyword, branches: buildBranches(flat, union, members, root) },
    nullable,
  )
}

/** `anyOf [{enum: …}, {type: string}]` is any text with suggestions. */
function suggestedTexts(members: readonly JsonSchema[]): string[] | null {
  const isFree = (member: JsonSchema) =>
    isObject(member) && member.type === 'string' && Object.keys(member).every(key => freeText.has(key))
  const fixed = members.filter(member => !isFree(member))
  if (fixed.length === members.length) return null
  const options = asOptions(fixed)
  const texts = options?.map(option => option.value).filter(value => typeof value === 'string')
  return texts && texts.length === options?.length ? texts : null
}

const freeText = new Set(['type', 'title', 'description', 'examples'])

function enumOptions(keywords: SchemaObject) {
  const names = Array.isArray(keywords.enumNames) ? keywords.enumNames : []
  const values = keywords.enum as Json[]
  const labels = distinctLabels(values)
  return values.map((value, index) => ({
    value,
    label: typeof names[index] === 'string' ? names[index] : (labels[index] ?? ''),
  }))
}

/** Shows the quotes of the text `"1"` if the number `1` is an option too. */
function distinctLabels(values: readonly Json[]): string[] {
  const labels = values.map(optionLabel)
  const texts = values.filter(value => typeof value === 'string').length
  if (texts === 0 || texts === values.length) return labels
  const first = new Map<string, Json>()
  const ambiguous = new Set<string>()
  for (const [index, label] of labels.entries()) {
    const value = values[index] ?? null
    if (!first.has(label)) first.set(label, value)
    else if (first.get(label) !== value) ambiguous.add(label)
  }
  return labels.map((label, index) =>
    typeof values[index] === 'string' && ambiguous.has(label) ? JSON.stringify(values[index]) : label,
  )
}

function planObject(flat: FlatSchema, demands: readonly KeyDemand[]): NodeShape {
  const { keywords } = flat
  const declared = isObject(keywords.properties) ? keywords.properties : {}
  const required = new Set(Array.isArray(keywords.required) ? keywords.required : [])
  const patterns = isObject(keywords.patternProperties)
    ? Object.entries(keywords.patternProperties).flatMap(([pattern, schema]) =>
        isSchema(schema) ? [{ pattern, schema }] : [],
      )
    : []
  const stated = keywords.additionalProperties ?? keywords.unevaluatedProperties
  const additional = isSchema(stated) ? stated : true
  const properties: FormProperty[] = Object.entries(declared).flatMap(([name, schema]) =>
    isSchema(schema) ? [{ name, schema, required: required.has(name) }] : [],
  )
  for (const name of required) {
    if (typeof name === 'string' && !Object.hasOwn(declared, name))
      properties.push({ name, schema: patterns[0]?.schema ?? (additional || true), required: true })
  }
  return {
    kind: 'object',
    properties,
    patterns,
    additional,
    additionalStated: (isSchema(stated) && stated !== false) || patterns.length > 0,
    ...(isSchema(keywords.propertyNames) && { propertyNames: keywords.propertyNames }),
    conditionals: flat.conditionals,
    dependentSchemas: flat.dependentSchemas,
    dependentRequired: flat.dependentRequired,
    demands,
  }
}

function planArray(keywords: SchemaObject): NodeShape {
  const listed = Array.isArray(keywords.prefixItems) ? keywords.prefixItems : keywords.items
  const prefix = Array.isArray(listed) ? listed.filter(isSchema) : []
  const rest = Array.isArray(keywords.items) ? keywords.additionalItems : keywords.items
  return {
    kind: 'array',
    prefix,
    items: isSchema(rest) ? rest : isSchema(keywords.unevaluatedItems) ? keywords.unevaluatedItems : true,
    unique: keywords.uniqueItems === true,
    minItems: typeof keywords.minItems === 'number' ? keywords.minItems : 0,
    maxItems: typeof keywords.maxItems === 'number' ? keywords.maxItems : Number.POSITIVE_INFINITY,
  }
}

/* Chooses the control for a string by its schema. */

const byFormat: Readonly<Record<string, StringControl>> = {
  password: 'secret',
  date: 'date',
  'full-date': 'date',
  time: 'time',
  'date-time': 'date-time',
  datetime: 'date-time',
  email: 'email',
  'idn-email': 'email',
  uri: 'uri',
  url: 'uri',
  iri: 'uri',
  'uri-reference': 'uri',
  uuid: 'uuid',
  guid: 'uuid',
  color: 'color',
  binary: 'binary',
  byte: 'binary',
  base64: 'binary',
  'data-url': 'binary',
  textarea: 'long',
  markdown: 'long',
  html: 'long',
}

/** Longer text rarely fits one line. */
const longLimit = 240

function stringControl(schema: SchemaObject): StringControl {
  const { format } = schema
  if (typeof format === 'string' && Object.hasOwn(byFormat, format)) return byFormat[format] ?? 'text'
  if (schema.contentEncoding === 'base64') return 'binary'
  if (typeof schema.contentMediaType === 'string') return 'long'
  const { maxLength, minLength } = schema
  if (typeof minLength === 'number' && minLength > longLimit) return 'long'
  return typeof maxLength === 'number' && maxLength > longLimit && schema.pattern === undefined
    ? 'long'
    : 'text'
}
