/** Replaces local references with their targets, so that two schemas can be walked side by side. */

import { isObject, own } from '../../json/json.ts'
import { detectDialect, stateDialect } from '../../schema/dialect.ts'
import { type Dialect, definitionKeywords, isSince, textKeywords } from '../../schema/keywords.ts'
import type { SchemaObject } from '../../schema/schema.ts'
import { resolveRef } from '../../schema/schema-document.ts'
import { mapSubschemas, subschemas } from '../../schema/walk-schema.ts'
import { freeName } from '../../text/free-name.ts'
import { decodePercents } from '../../text/uri.ts'
import type { JsonSchema } from '../../tool/tool.ts'

export interface Inlined {
  /**
   * The schema without definitions: a `$ref` remains only if a schema contains itself, and leads into `definitions`.
   */
  readonly root: unknown
  readonly definitions: Readonly<Record<string, unknown>>
  readonly dialect: Dialect
}

/** Maximum nodes after inlining: shared definitions can multiply. A larger schema is not inlined. */
const maxNodes = 20_000
const maxDepth = 80

class CannotInline extends Error {}

/**
 * Shared parts stay the same object. Returns `undefined` if references leave the document or depend on the dynamic
 * scope or on `$id`, or if the result would be too large: such a schema is only compared as a whole.
 * @param mark is added to the names of recursive definitions, so that two schemas' definitions fit in one document
 */
export function inlineRefs(schema: JsonSchema, mark: string): Inlined | undefined {
  const inliner = new Inliner(schema, mark)
  try {
    const root = inliner.target(schema, 'root', 0)
    return { root, definitions: Object.fromEntries(inliner.definitions), dialect: inliner.dialect }
  } catch (thrown) {
    if (thrown instanceof CannotInline) return undefined
    throw thrown
  }
}

/** Returns a document for the containment engine in the given dialect. `definitions` may come from both sides. */
export function toDocument(
  root: unknown,
  dialect: Dialect,
  ...definitions: readonly Inlined['definitions'][]
): JsonSchema {
  // A definition's name may be `__proto__`: only fromEntries makes it a property.
  const all = Object.fromEntries(definitions.flatMap(each => Object.entries(each)))
  if (!isObject(root)) return root === false ? false : {}
  const document = stateDialect(root, dialect)
  return Object.keys(all).length === 0 ? document : { ...document, $defs: all }
}

class Inliner {
  readonly definitions = new Map<string, unknown>()
  private readonly document: JsonSchema
  readonly dialect: Dialect
  private readonly mark: string
  private readonly done = new Map<object, unknown>()
  /** Schemas that are being inlined, with the name that each gets if it contains itself. */
  private readonly active = new Map<object, { name: string; recursive: boolean }>()
  private readonly sizes = new WeakMap<object, number>()

  constructor(document: JsonSchema, mark: string) {
    this.document = document
    this.dialect = detectDialect(document)
    this.mark = mark
  }

  target(schema: JsonSchema, name: string, depth: number): unknown {
    if (!isObject(schema)) return schema
    const known = this.done.get(schema)
    if (known !== undefined) return known
    const running = this.active.get(schema)
    if (running) {
      running.recursive = true
      return { $ref: `#/$defs/${running.name}` }
    }
    const entry = { name: this.definitionName(name), recursive: false }
    this.active.set(schema, entry)
    const result = this.node(schema, depth)
    this.active.delete(schema)
    if (entry.recursive) this.definitions.set(entry.name, result)
    // Inside a cycle, a schema is cut at a different location than outside, so the result is not shared.
    if (this.active.size <= 1) this.done.set(schema, result)
    return result
  }

  private definitionName(name: string): string {
    const base = `${name.replaceAll(/[^\w.-]/g, '_')}${this.mark}`
    const taken = new Set([...this.definitions.keys(), ...[...this.active.values()].map(one => one.name)])
    return freeName(base, taken)
  }

  private node(schema: unknown, depth: number): unknown {
    if (!isObject(schema)) return schema
    if (depth > maxDepth) throw new CannotInline()
    if (own(schema, '$dynamicRef') !== undefined || own(schema, '$recursiveRef') !== undefined)
      throw new CannotInline()
    const identity = this.dialect === 'draft-04' ? 'id' : '$id'
    if (depth > 0 && typeof own(schema, identity) === 'string') throw new CannotInline()
    const reference = own(schema, '$ref')
    if (typeof reference === 'string') return this.reference(schema, reference, depth)
    return this.sized(this.parts(schema, depth))
  }

  private reference(schema: SchemaObject, reference: string, depth: number): unknown {
    const found = resolveRef(this.document, reference)
    if (found === undefined || !reference.startsWith('#')) throw new CannotInline()
    const name = decodePercents(reference.split('/').at(-1) ?? '') || 'root'
    const target = this.target(found, name === '#' ? 'root' : name, depth + 1)
    const { $ref: _, ...rest } = schema as { $ref: unknown }
    const siblings = this.parts(rest, depth)
    const names = Object.keys(siblings)
    if (names.length === 0) return target
    const onlyWords = names.every(name => textKeywords.has(name) || name === 'default')
    // Text next to a reference describes this use of it.
    if (onlyWords && isObject(target) && own(target, '$ref') === undefined)
      return this.sized({ ...target, ...siblings })
    // Up to draft-07, keywords next to `$ref` are ignored.
    if (!isSince(this.dialect, '2019-09')) return target
    return this.sized({ ...siblings, allOf: [target, ...asList(own(siblings, 'allOf'))] })
  }

  private parts(schema: SchemaObject, depth: number): SchemaObject {
    const inlined = mapSubschemas(schema, (part, keyword) =>
      definitionKeywords.has(keyword) ? part : this.node(part, depth + 1),
    )
    return Object.fromEntries(Object.entries(inlined).filter(([keyword]) => !definitionKeywords.has(keyword)))
  }

  /** Counts shared nodes repeatedly, because the engine reads them repeatedly. */
  private sized<Schema extends SchemaObject>(schema: Schema): Schema {
    let size = 1
    for (const { schema: part } of subschemas(schema)) if (isObject(part)) size += this.sizes.get(part) ?? 0
    if (size > maxNodes) throw new CannotInline()
    this.sizes.set(schema, size)
    return schema
  }
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
