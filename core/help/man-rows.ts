/** A schema's fields and what is inside of them, as one flat list in reading order. */
import type { FormNode } from '../form/form-node.ts'
import type { FormPlanner } from '../form/form-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { type ManRow, type Place, rowFacts } from './man-row.ts'
import { plainLine } from './plain-text.ts'
import { fieldsOf, nodeOf, type OpenSchema, type SchemaField } from './tool-fields.ts'

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
  const top: Spot = { path: '', place: [], depth: 0, above: [] }
  for (const field of fields) writer.field(field, { ...top, above: [root] })
  if (fields.length === 0) writer.inside(root, top)
  return { rows: writer.rows, more: writer.more }
}

/** Where the writer is: whatever it writes next stands inside of this. */
interface Spot {
  readonly path: string
  readonly place: Place | undefined
  readonly depth: number
  readonly above: readonly FormNode[]
}

class RowWriter {
  readonly rows: ManRow[] = []
  more = false
  private readonly planner: FormPlanner
  private inner = 0

  constructor(planner: FormPlanner) {
    this.planner = planner
  }

  field({ name, schema, required }: SchemaField, spot: Spot): void {
    const given = spot.depth === 0 ? { name } : {}
    this.row({ role: 'field', required, ...given }, schema, step(spot, `.${plainLine(name)}`, name))
  }

  private row(
    head: Pick<ManRow, 'role' | 'name' | 'label'> & { readonly required?: boolean },
    schema: JsonSchema,
    { path, place, depth, above }: Spot,
  ): void {
    if (depth > 0 && (this.inner >= mostInner || depth > deepest)) {
      this.more = true
      return
    }
    if (depth > 0) this.inner += 1
    const node = nodeOf(this.planner, schema)
    const facts = rowFacts(this.planner, node)
    const repeats = above.includes(node)
    const notices = repeats ? [...facts.notices, 'The same again: its parts stand above.'] : facts.notices
    const where = { path, depth, ...(place !== undefined && { place }) }
    this.rows.push({ required: false, ...head, ...where, ...facts, notices })
    if (repeats) return
    if (this.inner < mostInner) this.inside(node, { path, place, depth: depth + 1, above: [...above, node] })
    else this.more ||= ['object', 'array', 'union'].includes(node.kind)
  }

  /** What stands inside a level: fields, further keys, items, variants. */
  inside(node: FormNode, spot: Spot): void {
    if (node.kind === 'object') this.object(node, spot)
    if (node.kind === 'array') this.items(node, spot)
    if (node.kind === 'union')
      for (const { label, schema } of node.branches)
        this.row({ role: 'variant', label: plainLine(label) }, schema, spot)
  }

  private object(node: Extract<FormNode, { kind: 'object' }>, spot: Spot): void {
    for (const field of fieldsOf(this.planner, node)) {
      if (this.inner >= mostInner) {
        this.more = true
        break
      }
      this.field(field, spot)
    }
    for (const { pattern, schema } of node.patterns)
      this.row({ role: 'other keys' }, schema, step(spot, `.<${plainLine(pattern)}>`))
    if (this.tells(node.additional)) this.row({ role: 'other keys' }, node.additional, step(spot, '.<key>'))
  }

  private items(node: Extract<FormNode, { kind: 'array' }>, spot: Spot): void {
    for (const [index, schema] of node.prefix.entries())
      this.row({ role: 'item' }, schema, step(spot, `[${index}]`, index))
    const items = nodeOf(this.planner, node.items)
    const inside = step(spot, '[]', null)
    // A list of plain objects: their fields follow at once, without a row that only says "object".
    if (items.kind === 'object' && items.schema.description === undefined && !spot.above.includes(items))
      this.object(items, { ...inside, above: [...spot.above, items] })
    else if (this.tells(node.items)) this.row({ role: 'item' }, node.items, inside)
  }

  /** False where a row would say nothing that the type above does not say. */
  private tells(schema: JsonSchema): boolean {
    if (typeof schema === 'boolean') return false
    const node = nodeOf(this.planner, schema)
    if (['object', 'array', 'union', 'enum', 'const'].includes(node.kind)) return true
    const { constraints, description, preset, examples } = rowFacts(this.planner, node)
    return constraints.length + examples.length > 0 || description !== undefined || preset !== undefined
  }
}

/** One step inwards; without a `key` the place can no longer be told. */
function step(spot: Spot, text: string, key?: string | number | null): Spot {
  const path = spot.path === '' && text.startsWith('.') ? text.slice(1) : `${spot.path}${text}`
  const place = key === undefined || spot.place === undefined ? undefined : [...spot.place, key]
  return { ...spot, path, place }
}
