/** Finds what `$ref`, `$dynamicRef` and anchors of one schema document mean. */

import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { pointerSegments, toPointer } from '../../json/pointer.ts'
import { statedDialect } from '../../json-schema/dialect.ts'
import { type Dialect, isSince } from '../../json-schema/keywords.ts'
import { subschemas } from '../../json-schema/walk.ts'
import { Undecided } from '../limits.ts'
import { decodePercents, resolveUri } from './uri.ts'

/** A schema with an identity of its own (`$id`), or the document. */
export interface Resource {
  readonly uri: string
  readonly dialect: Dialect
  readonly root: LocatedSchema
  readonly anchors: Map<string, LocatedSchema>
  readonly dynamicAnchors: Map<string, LocatedSchema>
}

/** A schema at its place. */
export interface LocatedSchema {
  readonly id: number
  readonly schema: UnknownObject | boolean
  readonly resource: Resource
  /** JSON Pointer from the document's root; for people. */
  readonly path: string
}

/** A reference to what is not at hand. */
export class MissingTarget extends Undecided {
  /** Equal for references to the same schema elsewhere. */
  readonly uri: string

  constructor(uri: string, reason: string) {
    super(reason)
    this.uri = uri
  }
}

const maxDepth = 300

export class Registry {
  readonly root: LocatedSchema
  private readonly nodes = new Map<object, LocatedSchema>()
  private readonly resources = new Map<string, Resource>()
  private readonly prefix: number
  private count = 0

  /** @param others schemas that may be referred to by their `$id`, such as the meta-schemas. @param prefix tells the nodes of two registries apart. */
  constructor(schema: unknown, dialect: Dialect, others: readonly unknown[], prefix: number) {
    this.prefix = prefix
    this.root = this.document(schema, 'toolscope:/schema', dialect)
    for (const other of others) this.document(other, 'toolscope:/other', '2020-12')
  }

  private document(schema: unknown, uri: string, dialect: Dialect): LocatedSchema {
    return this.visit(schema, undefined, '', { uri, dialect }, 0)
  }

  private visit(
    schema: unknown,
    parent: Resource | undefined,
    path: string,
    fallback: { uri: string; dialect: Dialect },
    depth: number,
  ): LocatedSchema {
    if (depth > maxDepth) throw new Undecided('the schema is nested too deep')
    if (!isObject(schema)) {
      if (typeof schema !== 'boolean') throw new Undecided(`no schema stands at ${path || 'the root'}`)
      return this.node(schema, parent ?? this.resource(schema, fallback.uri, fallback.dialect), path)
    }
    const known = this.nodes.get(schema)
    if (known) return known
    const node = this.enter(schema, parent, path, fallback)
    for (const part of subschemas(schema))
      if (isObject(part.schema))
        this.visit(part.schema, node.resource, path + toPointer(part.path), fallback, depth + 1)
    return node
  }

  private enter(
    schema: UnknownObject,
    parent: Resource | undefined,
    path: string,
    fallback: { uri: string; dialect: Dialect },
  ): LocatedSchema {
    const dialect = statedDialect(schema) ?? parent?.dialect ?? fallback.dialect
    const isReference = !isSince(dialect, '2019-09') && typeof own(schema, '$ref') === 'string'
    const id = isReference ? undefined : own(schema, dialect === 'draft-04' ? 'id' : '$id')
    const { uri, fragment } = resolveUri(typeof id === 'string' ? id : '', parent?.uri ?? fallback.uri)
    const isResource = !parent || (typeof id === 'string' && uri !== parent.uri)
    const node = isResource ? this.resource(schema, uri, dialect, path).root : this.node(schema, parent, path)
    if (isResource && !parent) this.resources.set(fallback.uri, node.resource)
    if (fragment !== '') node.resource.anchors.set(fragment, node)
    const anchor = own(schema, '$anchor')
    if (typeof anchor === 'string') node.resource.anchors.set(anchor, node)
    const dynamic = own(schema, '$dynamicAnchor')
    if (typeof dynamic === 'string') {
      node.resource.anchors.set(dynamic, node)
      node.resource.dynamicAnchors.set(dynamic, node)
    }
    return node
  }

  private resource(schema: UnknownObject | boolean, uri: string, dialect: Dialect, path = ''): Resource {
    const anchors = new Map<string, LocatedSchema>()
    const dynamicAnchors = new Map<string, LocatedSchema>()
    const made: { -readonly [Key in keyof Resource]?: Resource[Key] } = {
      uri,
      dialect,
      anchors,
      dynamicAnchors,
    }
    const resource = made as Resource
    made.root = this.node(schema, resource, path)
    if (!this.resources.has(uri)) this.resources.set(uri, resource)
    return resource
  }

  private node(schema: UnknownObject | boolean, resource: Resource, path: string): LocatedSchema {
    this.count += 1
    const node = { id: this.count * 4 + this.prefix, schema, resource, path }
    if (isObject(schema)) this.nodes.set(schema, node)
    return node
  }

  /** The node of a schema that stands inside another one. */
  child(parent: LocatedSchema, schema: unknown, ...steps: (string | number)[]): LocatedSchema {
    const path = parent.path + toPointer(steps)
    return this.visit(schema, parent.resource, path, parent.resource, 0)
  }

  /** @throws MissingTarget when nothing is there: a schema elsewhere is never fetched. */
  resolve(reference: string, from: LocatedSchema): LocatedSchema {
    const { uri, fragment } = resolveUri(reference, from.resource.uri)
    const resource = this.resources.get(uri)
    if (!resource)
      throw new MissingTarget(`${uri}#${fragment}`, `the reference ${reference} leads outside the schema`)
    const decoded = decodePercents(fragment)
    if (decoded === '') return resource.root
    const found = decoded.startsWith('/') ? this.point(resource.root, decoded) : resource.anchors.get(decoded)
    if (!found)
      throw new MissingTarget(`${this.prefix} ${uri}#${fragment}`, `the reference ${reference} leads nowhere`)
    return found
  }

  /** Follows a JSON Pointer; a resource on the way becomes the one that the target belongs to. */
  private point(root: LocatedSchema, pointer: string): LocatedSchema | undefined {
    let value: unknown = root.schema
    let { resource } = root
    for (const key of pointerSegments(pointer)) {
      if (Array.isArray(value)) value = value[/^\d+$/.test(key) ? Number(key) : -1]
      else if (isObject(value)) value = own(value, key)
      else return undefined
      if (isObject(value)) resource = this.nodes.get(value)?.resource ?? resource
    }
    if (!isObject(value) && typeof value !== 'boolean') return undefined
    return this.visit(value, resource, root.path + pointer, resource, 0)
  }
}
