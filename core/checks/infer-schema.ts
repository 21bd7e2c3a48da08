/** Derives the schema of a value: its structure without its content. */
import { isObject, type Json, jsonType, numberText } from '../json/json.ts'

type SchemaShape = { readonly [keyword: string]: Json }

/** Maximum items of an array that are read. */
const lookedAt = 1_000

/**
 * Returns a JSON Schema that matches the value and similar ones: types, members (all of them required) and one schema
 * for an array's items, in which members that some items lack are optional.
 */
export function inferSchema(value: Json): SchemaShape {
  const type = jsonType(value)
  if (type === 'number') return { type: isWhole(value) ? 'integer' : 'number' }
  if (Array.isArray(value)) {
    const items = value.slice(0, lookedAt).map(inferSchema).reduce<SchemaShape | undefined>(joined, undefined)
    return items === undefined ? { type } : { type, items }
  }
  if (!isObject(value)) return { type }
  const names = Object.keys(value)
  return {
    type,
    properties: Object.fromEntries(names.map(name => [name, inferSchema(value[name] ?? null)])),
    ...(names.length > 0 ? { required: names } : {}),
  }
}

function isWhole(value: Json): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : /^-?\d+$/.test(numberText(value as never))
}

function listTypes({ type }: SchemaShape): readonly string[] {
  return Array.isArray(type) ? (type as readonly string[]) : type === undefined ? [] : [type as string]
}

/** Returns a schema that accepts what either schema accepts. */
function joined(left: SchemaShape | undefined, right: SchemaShape): SchemaShape {
  if (left === undefined) return right
  const types = [...new Set([...listTypes(left), ...listTypes(right)])]
  const named = types.includes('number') ? types.filter(type => type !== 'integer') : types
  const properties = joinProperties(left, right)
  const items = [left.items, right.items]
    .filter(each => each !== undefined)
    .reduce<SchemaShape | undefined>((all, each) => joined(all, each as SchemaShape), undefined)
  const required = joinRequired(left, right)
  return {
    type: named.length === 1 ? (named[0] ?? null) : named,
    ...(properties === undefined ? {} : { properties }),
    ...(required.length > 0 ? { required } : {}),
    ...(items === undefined ? {} : { items }),
  }
}

function joinProperties(left: SchemaShape, right: SchemaShape): SchemaShape | undefined {
  const [a, b] = [left.properties as SchemaShape | undefined, right.properties as SchemaShape | undefined]
  if (a === undefined || b === undefined) return a ?? b
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  const of = (shape: SchemaShape, name: string) =>
    Object.hasOwn(shape, name) ? (shape[name] as SchemaShape) : undefined
  return Object.fromEntries(
    [...names].flatMap(name => {
      const [one, other] = [of(a, name), of(b, name)]
      const both = other === undefined ? one : joined(one, other)
      return both === undefined ? [] : [[name, both] as const]
    }),
  )
}

/** Returns the required members: those of both schemas if both may be objects. */
function joinRequired(left: SchemaShape, right: SchemaShape): readonly string[] {
  const [a, b] = [(left.required ?? []) as readonly string[], (right.required ?? []) as readonly string[]]
  if (!listTypes(left).includes('object')) return b
  if (!listTypes(right).includes('object')) return a
  const inB = new Set(b)
  return a.filter(name => inB.has(name))
}
