/** A schema's fields and what is inside of them, as one flat list in reading order. */
import type { FormNode } from '../schema/form-node.ts'
import type { FormPlanner } from '../schema/form-schema.ts'
import type { JsonSchema } from '../tool.ts'
import { type ManRow, rowFacts } from './man-row.ts'
import { plainLine } from './plain-text.ts'
import { fieldsOf, type OpenSchema } from './tool-fields.ts'

/** Levels below the top, and rows below the top in all, beyond which a page says that there is more. */
const deepest = 8
const mostInner = 600

export interface ManRows {
  readonly rows: readonly ManRow[]
  /** Parts were left out: the JSON has them. */
  readonly more: boolean
}

/** Every field at the top, and below each what its schema tells, as far as the limits allow. Never throws. */
export function manRows({ planner, root, fields }: OpenSchema): ManRows {
  const writer = new RowWriter(planner)
  for (const field of fields) writer.field('', field, 0, [root])
  if (fields.length === 0) writer.inside('', root, 0, [])
  return { rows: writer.rows, more: writer.more }
}

type Ancestors = readonly FormNode[]

class RowWriter {
  readonly rows: ManRow[] = []
  more = false
  private readonly planner: FormPlanner
  private inner = 0

  constructor(planner: FormPlanner) {
    this.planner = planner
  }

  field(
    parent: string,
    field: { readonly name: string; readonly schema: JsonSchema; readonly required: boolean },
    depth: number,
    above: Ancestors,
  ): void {
    const name = plainLine(field.name)
    const path = parent === '' ? name : `${parent}.${name}`
    const given = depth === 0 ? { name: field.name } : {}
    this.row({ path, role: 'field', depth, required: field.required, ...given }, field.schema, above)
  }

  private row(
    place: Pick<ManRow, 'path' | 'role' | 'depth' | 'required' | 'name' | 'label'>,
    schema: JsonSchema,
    above: Ancestors,
  ): void {
    if (place.depth > 0 && (this.inner >= mostInner || place.depth > deepest)) {
      this.more = true
      return
    }
    if (place.depth > 0) this.inner += 1
    const node = this.planner.plan(schema)
    const facts = rowFacts(this.planner, node)
    const repeats = above.includes(node)
    const notices = repeats ? [...facts.notices, 'The same again: its parts stand above.'] : facts.notices
    this.rows.push({ ...place, ...facts, notices })
    if (repeats) return
    if (this.inner < mostInner) this.inside(place.path, node, place.depth + 1, [...above, node])
    else this.more ||= ['object', 'array', 'union'].includes(node.kind)
  }

  /** What stands inside a level: fields, further keys, items, variants. */
  inside(path: string, node: FormNode, depth: number, above: Ancestors): void {
    if (node.kind === 'object') this.object(path, node, depth, above)
    if (node.kind === 'array') this.items(path, node, depth, above)
    if (node.kind === 'union')
      for (const { label, schema } of node.branches)
        this.row({ path, role: 'variant', label: plainLine(label), depth, required: false }, schema, above)
  }

  private object(
    path: string,
    node: Extract<FormNode, { kind: 'object' }>,
    depth: number,
    above: Ancestors,
  ): void {
    for (const field of fieldsOf(this.planner, node)) {
      if (this.inner >= mostInner) {
        this.more = true
        break
      }
      this.field(path, field, depth, above)
    }
    const keyPath = (key: string) => (path === '' ? key : `${path}.${key}`)
    const other = { role: 'other keys', depth, required: false } as const
    for (const { pattern, schema } of node.patterns)
      this.row({ ...other, path: keyPath(`<${plainLine(pattern)}>`) }, schema, above)
    if (this.tells(node.additional)) this.row({ ...other, path: keyPath('<key>') }, node.additional, above)
  }

  private items(
    path: string,
    node: Extract<FormNode, { kind: 'array' }>,
    depth: number,
    above: Ancestors,
  ): void {
    const item = { role: 'item', depth, required: false } as const
    for (const [index, schema] of node.prefix.entries())
      this.row({ ...item, path: `${path}[${index}]` }, schema, above)
    const items = this.planner.plan(node.items)
    // A list of plain objects: their fields follow at once, without a row that only says "object".
    if (items.kind === 'object' && items.schema.description === undefined && !above.includes(items))
      this.object(`${path}[]`, items, depth, [...above, items])
    else if (this.tells(node.items)) this.row({ ...item, path: `${path}[]` }, node.items, above)
  }

  /** False where a row would say nothing that the type above does not say. */
  private tells(schema: JsonSchema): boolean {
    if (typeof schema === 'boolean') return false
    const node = this.planner.plan(schema)
    if (['object', 'array', 'union', 'enum', 'const'].includes(node.kind)) return true
    const { constraints, description, preset, examples } = rowFacts(this.planner, node)
    return constraints.length + examples.length > 0 || description !== undefined || preset !== undefined
  }
}
