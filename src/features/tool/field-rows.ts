import type { FormNode } from '../../../core/form/form-node.ts'
import { createFormPlanner, type FormPlanner } from '../../../core/form/form-schema.ts'
import { nodeOf } from '../../../core/prompt/tool-fields.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { type FieldPart, partsOf } from './field-parts.ts'

/** One line of the table of a schema's fields. */
export interface FieldRow {
  /** Unique in its schema; stays the same when other rows are opened or closed. */
  readonly key: string
  readonly part: FieldPart
  /** 0 at the top. */
  readonly depth: number
  readonly node: FormNode
  readonly hasParts: boolean
  readonly isOpen: boolean
}

/** Rows that are open before the user opens one: those of the first levels, with few parts, that repeat no row above. */
const maxOpenDepth = 2
const maxOpenParts = 20

/** Reads the rows of one schema. Costs what is read: a row that is not shown is not planned. */
export class FieldReader {
  readonly planner: FormPlanner
  readonly root: FormNode
  private readonly parts = new Map<FormNode, readonly FieldPart[]>()

  constructor(schema: JsonSchema) {
    this.planner = createFormPlanner(schema)
    this.root = nodeOf(this.planner, schema)
  }

  /**
   * The first `max` rows in reading order, and whether there are more. Never throws.
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
      const node = nodeOf(this.planner, part.schema)
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
    const parts = this.parts.get(node) ?? partsOf(this.planner, node)
    this.parts.set(node, parts)
    return parts
  }
}
