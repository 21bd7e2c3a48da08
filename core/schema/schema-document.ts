/**
 * A schema document: resolves each `$id`, anchor and reference in it (JSON Schema Core §8). Nothing is fetched, so a
 * reference to another document does not resolve.
 */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { pointerSegments, toPointer } from '../json/pointer.ts'
import { decodePercents, resolveUri } from '../text/uri.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { detectDialect, statedDialect } from './dialect.ts'
import { type Dialect, isSince } from './keywords.ts'
import { isSchema } from './schema.ts'
import { subschemas } from './walk-schema.ts'

/** A schema with its own `$id`, or the whole document. */
export interface Resource {
  readonly uri: string
  readonly dialect: Dialect
  readonly root: LocatedSchema
  readonly anchors: Map<string, LocatedSchema>
  readonly dynamicAnchors: Map<string, LocatedSchema>
}

export interface LocatedSchema {
  readonly id: number
  readonly schema: UnknownObject | boolean
  readonly resource: Resource
  /** JSON Pointer from the document's root, for messages. */
  readonly path: string
}

/** The current position of the walk: a schema, the resource around it, and its path. */
interface Visit {
  readonly schema: UnknownObject | boolean
  readonly parent: Resource | undefined
  readonly path: string
}

export class SchemaDocument {
  readonly root: LocatedSchema
  private readonly nodes = new Map<object, LocatedSchema>()
  private readonly resources = new Map<string, Resource>()
  /** Whether it may refer to other documents. */
  readonly hasOthers: boolean
  /** Schemas of other documents by URL. Each is read at the first reference to it. */
  private readonly others: ReadonlyMap<string, UnknownObject>
  private hasReadAll = false
  private lastId: number

  /**
   * @param others documents that may be referenced, such as the meta-schemas, by URL
   * @param firstId start of the node ids, which count up by two: 0 and 1 distinguish the nodes of two documents
   */
  constructor(
    schema: UnknownObject | boolean,
    dialect: Dialect,
    others: ReadonlyMap<string, UnknownObject> = new Map(),
    firstId = 0,
  ) {
    this.others = others
    this.hasOthers = others.size > 0
    this.lastId = firstId
    this.root = this.visitAll({ schema, parent: undefined, path: '' }, 'toolscope:/schema', dialect)
  }

  /** The schemas that were read so far. */
  get size(): number {
    return this.nodes.size
  }

  private resource(uri: string): Resource | undefined {
    if (this.resources.has(uri)) return this.resources.get(uri)
    const other = this.others.get(uri)
    if (other !== undefined) this.readOther(uri, other)
    else if (!this.hasReadAll) {
      // A document inside another one may have its own URL.
      this.hasReadAll = true
      for (const [address, schema] of this.others)
        if (!this.resources.has(address)) this.readOther(address, schema)
    }
    return this.resources.get(uri)
  }

  private readOther(address: string, schema: UnknownObject): void {
    this.visitAll({ schema, parent: undefined, path: '' }, address, this.root.resource.dialect)
  }

  /** Returns the node of a schema inside another one; undefined if the value is not a schema. */
  child(parent: LocatedSchema, schema: unknown, ...steps: (string | number)[]): LocatedSchema | undefined {
    if (!isSchema(schema)) return undefined
    const known = isObject(schema) ? this.nodes.get(schema) : undefined
    return known ?? this.visitAll({ schema, parent: parent.resource, path: parent.path + toPointer(steps) })
  }

  /** Returns the absolute form of a reference, so that equal references have equal texts. */
  absolute(reference: string, from: LocatedSchema): { uri: string; fragment: string; isInside: boolean } {
    const { uri, fragment } = resolveUri(reference, from.resource.uri)
    return { uri, fragment, isInside: this.resource(uri) !== undefined }
  }

  /**
   * Returns the schema that a reference leads to; undefined if it leads nowhere, outside, or to a value that is not a
   * schema.
   */
  resolve(reference: string, from: LocatedSchema): LocatedSchema | undefined {
    const { uri, fragment } = resolveUri(reference, from.resource.uri)
    const resource = this.resource(uri)
    if (resource === undefined || fragment === '') return resource?.root
    const decoded = decodePercents(fragment)
    if (!decoded.startsWith('/')) return resource.anchors.get(decoded)
    // Some programs write keys that look percent-encoded without encoding them.
    return this.follow(resource.root, decoded) ?? this.follow(resource.root, fragment)
  }

  /** Follows a JSON Pointer. The target belongs to the last resource on the way. */
  private follow(root: LocatedSchema, pointer: string): LocatedSchema | undefined {
    let value: unknown = root.schema
    let parent = root.resource
    for (const key of pointerSegments(pointer)) {
      if (Array.isArray(value)) value = value[/^\d+$/.test(key) ? Number(key) : -1]
      else if (isObject(value)) value = own(value, key)
      else return undefined
      if (isObject(value)) parent = this.nodes.get(value)?.resource ?? parent
    }
    return isSchema(value) ? this.visitAll({ schema: value, parent, path: root.path + pointer }) : undefined
  }

  /** Adds a schema and the schemas inside it, outer ones first, in a loop, so that any depth can be read. */
  private visitAll(first: Visit, uri = '', dialect: Dialect = '2020-12'): LocatedSchema {
    const known = isObject(first.schema) ? this.nodes.get(first.schema) : undefined
    if (known !== undefined) return known
    const start = this.add(first, uri, dialect)
    const open = [start]
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (!isObject(node.schema)) continue
      for (const { schema, path } of subschemas(node.schema).reverse()) {
        if (!isObject(schema) || this.nodes.has(schema)) continue
        const visit = { schema, parent: node.resource, path: node.path + toPointer(path) }
        open.push(this.add(visit, uri, dialect))
      }
    }
    return start
  }

  private add({ schema, parent, path }: Visit, baseUri: string, baseDialect: Dialect): LocatedSchema {
    if (!isObject(schema))
      return this.node(schema, parent ?? this.newResource(schema, baseUri, baseDialect, path), path)
    const dialect = statedDialect(schema) ?? parent?.dialect ?? baseDialect
    // Up to draft-07, keywords next to `$ref` are ignored, including `$id`.
    const isReference = !isSince(dialect, '2019-09') && typeof own(schema, '$ref') === 'string'
    const id = isReference ? undefined : own(schema, dialect === 'draft-04' ? 'id' : '$id')
    const { uri, fragment } = resolveUri(typeof id === 'string' ? id : '', parent?.uri ?? baseUri)
    const isResource = parent === undefined || (typeof id === 'string' && uri !== parent.uri)
    const node = isResource
      ? this.newResource(schema, uri, dialect, path).root
      : this.node(schema, parent, path)
    const { anchors, dynamicAnchors } = node.resource
    if (parent === undefined) this.resources.set(baseUri, node.resource)
    if (fragment !== '') anchors.set(fragment, node)
    const anchor = own(schema, '$anchor')
    if (typeof anchor === 'string') anchors.set(anchor, node)
    // 2019-09 has a single dynamic anchor, without a name.
    if (isResource && dialect === '2019-09' && own(schema, '$recursiveAnchor') === true)
      dynamicAnchors.set('', node)
    const dynamic = own(schema, '$dynamicAnchor')
    if (typeof dynamic === 'string') {
      anchors.set(dynamic, node)
      dynamicAnchors.set(dynamic, node)
    }
    return node
  }

  private newResource(
    schema: UnknownObject | boolean,
    uri: string,
    dialect: Dialect,
    path: string,
  ): Resource {
    const made: { -readonly [Key in keyof Resource]?: Resource[Key] } = {
      uri,
      dialect,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    }
    // The root and the resource refer to each other; the next line sets the root.
    const resource = made as Resource
    made.root = this.node(schema, resource, path)
    if (!this.resources.has(uri)) this.resources.set(uri, resource)
    return resource
  }

  private node(schema: UnknownObject | boolean, resource: Resource, path: string): LocatedSchema {
    this.lastId += 2
    const node = { id: this.lastId, schema, resource, path }
    if (isObject(schema)) this.nodes.set(schema, node)
    return node
  }
}

const documents = new WeakMap<object, SchemaDocument>()

/** Returns the schema that a reference in the root resource leads to; undefined if it leads nowhere or outside. */
export function resolveRef(root: JsonSchema, ref: string): JsonSchema | undefined {
  if (!isObject(root)) return ref === '#' ? root : undefined
  const document = documents.get(root) ?? new SchemaDocument(root, detectDialect(root))
  documents.set(root, document)
  return document.resolve(ref, document.root)?.schema
}
