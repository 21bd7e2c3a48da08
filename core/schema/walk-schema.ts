/** Walks over the schemas inside a schema, by the table of keywords. */
import { isObject } from '../json/json.ts'
import type { Path } from '../json/pointer.ts'
import { keywords } from './keywords.ts'
import type { SchemaObject } from './schema.ts'

/** A direct subschema of a schema, or a value in its location that is not a schema. */
export interface Subschema {
  readonly schema: unknown
  /** Keys from the outer schema: a keyword, and a name or an index if the keyword contains several schemas. */
  readonly path: readonly [keyword: string] | readonly [keyword: string, key: string | number]
}

/** Returns the values of keywords that contain schemas, in the order of the keywords. */
export function subschemas(schema: SchemaObject): Subschema[] {
  const found: Subschema[] = []
  for (const keyword of Object.keys(schema)) {
    const holder = keywords.get(keyword)?.value
    const value = schema[keyword]
    switch (holder) {
      case 'schema or list':
      case 'schema list':
        if (Array.isArray(value))
          for (const [index, item] of value.entries()) found.push({ schema: item, path: [keyword, index] })
        else if (holder === 'schema or list') found.push({ schema: value, path: [keyword] })
        break
      case 'schema':
        found.push({ schema: value, path: [keyword] })
        break
      case 'schema map':
      case 'schema or names map':
        if (isObject(value))
          for (const key of Object.keys(value))
            if (!Array.isArray(value[key])) found.push({ schema: value[key], path: [keyword, key] })
    }
  }
  return found
}

/**
 * Returns the schema with each of its direct subschemas replaced by the result of `change`. Unchanged parts are the
 * same objects, and so is the schema if nothing changed.
 */
export function mapSubschemas(
  schema: SchemaObject,
  change: (part: unknown, keyword: string) => unknown,
): SchemaObject {
  const changes = new Map<string, unknown>()
  for (const { schema: part, path } of subschemas(schema)) {
    const [keyword, key] = path
    const changed = change(part, keyword)
    if (changed === part) continue
    if (key === undefined) changes.set(keyword, changed)
    else {
      const known = (changes.get(keyword) as Map<string | number, unknown> | undefined) ?? new Map()
      changes.set(keyword, known.set(key, changed))
    }
  }
  if (changes.size === 0) return schema
  const entries = Object.entries(schema).map(([keyword, value]) => {
    if (!changes.has(keyword)) return [keyword, value] as const
    const changed = changes.get(keyword)
    return [keyword, changed instanceof Map ? withParts(value, changed) : changed] as const
  })
  return Object.fromEntries(entries)
}

function withParts(holder: unknown, changed: ReadonlyMap<string | number, unknown>): unknown {
  if (Array.isArray(holder))
    return holder.map((part, index) => (changed.has(index) ? changed.get(index) : part))
  return Object.fromEntries(
    Object.entries(holder as object).map(([name, part]) => [
      name,
      changed.has(name) ? changed.get(name) : part,
    ]),
  )
}

/** A schema inside a document, and its path. */
export interface VisitedSchema {
  readonly schema: SchemaObject
  readonly parent: VisitedSchema | undefined
  /** Keys from the parent; empty for the root. */
  readonly path: Path
}

/** Returns the keys from the root of the document. */
export function buildFullPath(visited: VisitedSchema): Path {
  const paths: Path[] = []
  for (let at: VisitedSchema | undefined = visited; at; at = at.parent) paths.push(at.path)
  return paths.reverse().flat()
}

/**
 * Returns every object schema inside a document, the document first, level by level, without following references. Uses
 * a loop, so a document may be nested a hundred thousand levels deep. Stops after `maxSchemas`.
 */
export function allSchemas(root: unknown, maxSchemas = 20_000): VisitedSchema[] {
  if (!isObject(root)) return []
  const visited: VisitedSchema[] = [{ schema: root, parent: undefined, path: [] }]
  for (let at = 0; at < visited.length; at++) {
    const parent = visited[at] as VisitedSchema
    for (const { schema, path } of subschemas(parent.schema)) {
      if (visited.length >= maxSchemas) return visited
      if (isObject(schema)) visited.push({ schema, parent, path })
    }
  }
  return visited
}
