import type { FormNode } from '../../../core/form/form-node.ts'
import { type FormPlanner, getFormPlanner } from '../../../core/form/form-schema.ts'
import { planSchema } from '../../../core/prompt/usage-line.ts'
import { plainLine, visibleName } from '../../../core/text/plain-text.ts'
import { shorten } from '../../../core/text/wording.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { texts } from './texts.ts'

/** One row in the table of a schema's fields. */
export interface FieldRow {
  /** Unique in its schema, and stable when other rows are opened or closed. */
  readonly key: string
  readonly part: FieldPart
  /** 0 at the top. */
  readonly depth: number
  readonly node: FormNode
  readonly hasParts: boolean
  readonly isOpen: boolean
}

/** Rows that are open initially: those of the first levels, with few parts, that repeat no row above. */
const maxOpenDepth = 2
const maxOpenParts = 20

/** Reads the rows of one schema. It plans only the rows that are shown. */
export class FieldReader {
  readonly planner: FormPlanner
  readonly root: FormNode
  private readonly parts = new Map<FormNode, readonly FieldPart[]>()

  constructor(schema: JsonSchema) {
    this.planner = getFormPlanner(schema)
    this.root = planSchema(this.planner, schema)
  }

  /**
   * Returns the first `max` rows in reading order, and whether there are more. Never throws.
   * @param toggled rows that the user opened (true) or closed, by their keys
   */
  read(toggled: ReadonlyMap<string, boolean>, max: number): { rows: FieldRow[]; hasMore: boolean } {
    const rows: FieldRow[] = []
    for (const row of this.rowsBelow(this.root, '', [], toggled)) {
      if (rows.length === max) return { rows, hasMore: true }
      rows.push(row)
    }
    return { rows, hasMore: false }
  }

  private *rowsBelow(
    parent: FormNode,
    parentKey: string,
    above: readonly FormNode[],
    toggled: ReadonlyMap<string, boolean>,
  ): Generator<FieldRow> {
    const ancestors = [...above, parent]
    for (const [index, part] of this.partsOf(parent).entries()) {
      const key = `${parentKey}/${index}`
      const node = planSchema(this.planner, part.schema)
      const inner = this.partsOf(node)
      const isOpen =
        inner.length > 0 &&
        (toggled.get(key) ??
          (above.length < maxOpenDepth && inner.length <= maxOpenParts && !ancestors.includes(node)))
      yield { key, part, depth: above.length, node, hasParts: inner.length > 0, isOpen }
      if (isOpen) yield* this.rowsBelow(node, key, ancestors, toggled)
    }
  }

  private partsOf(node: FormNode): readonly FieldPart[] {
    const parts = this.parts.get(node) ?? listParts(this.planner, node)
    this.parts.set(node, parts)
    return parts
  }
}

/* The parts one level below a schema: the fields of an object, the items of a list, the variants of a union. */

interface FieldPart {
  readonly name: string
  /** False if `name` is our own label (`each item`), not the schema's. */
  readonly isName: boolean
  readonly required: boolean
  readonly schema: JsonSchema
}

const maxNameCharacters = 200

function part(name: string, schema: JsonSchema, isName = false, required = false): FieldPart {
  return { name: shorten(visibleName(name), maxNameCharacters), isName, required, schema }
}

/** Returns the parts in the author's order, one level deep. Never throws. */
function listParts(planner: FormPlanner, node: FormNode): FieldPart[] {
  switch (node.kind) {
    case 'object':
      return [
        ...node.properties.map(property => part(property.name, property.schema, true, property.required)),
        ...node.patterns.map(({ pattern, schema }) => part(`keys like ${pattern}`, schema)),
        ...(typeof node.additional === 'object' ? [part('other keys', node.additional)] : []),
        ...node.conditionals.flatMap(conditional => [
          part('if', conditional.if),
          ...(conditional.then === true ? [] : [part('then', conditional.then)]),
          ...(conditional.else === true ? [] : [part('else', conditional.else)]),
        ]),
        ...node.dependentSchemas.map(([key, schema]) => part(`with ${key}`, schema)),
      ]
    case 'array':
      return [
        ...node.prefix.map((schema, index) => part(`item ${index + 1}`, schema)),
        ...itemParts(planner, node.items, node.prefix.length > 0 ? 'further items' : texts.eachItem),
      ]
    case 'union':
      return node.branches.map(branch => part(`variant: ${plainLine(branch.label)}`, branch.schema))
    default:
      return []
  }
}

/** Returns the parts of the items. The fields of plain objects follow directly: a row between would repeat "object". */
function itemParts(planner: FormPlanner, schema: JsonSchema, name: string): FieldPart[] {
  const items = planSchema(planner, schema)
  const isDescribed = items.schema.description !== undefined
  if (items.kind === 'object' && !isDescribed && name === texts.eachItem) return listParts(planner, items)
  const isMoreThanItsType = ['object', 'array', 'union', 'enum'].includes(items.kind) || isDescribed
  return isMoreThanItsType ? [part(name, schema)] : []
}
