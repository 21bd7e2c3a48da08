/** A schema's fields and the parts inside them, as one flat list in reading order. */
import type { FormNode } from '../form/form-node.ts'
import type { FormPlanner } from '../form/form-schema.ts'
import { plainLine } from '../text/plain-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { type InputPath, type ManRow, rowFacts } from './row-facts.ts'
import { fieldsOf, nodeOf, type OpenSchema, type SchemaField } from './tool-fields.ts'

/** Levels below the top, and rows at the top and below it; a page says where there are more. */
const maxDepth = 8
const maxRows = 5_000
const maxInnerRows = 600

export interface ManRows {
  readonly rows: readonly ManRow[]
  /** Parts were left out: the JSON has them. */
  readonly more: boolean
}

/** Every field at the top, and below each the parts of its schema, within the limits. Never throws. */
export function manRows({ planner, root, fields }: OpenSchema): ManRows {
  const writer = new RowWriter(planner)
  const top: Parent = { path: '', inputPath: [], depth: 0, above: [] }
  for (const field of fields.slice(0, maxRows)) writer.field(field, { ...top, above: [root] })
  if (fields.length === 0) writer.inside(root, top)
  return { rows: writer.rows, more: writer.more || fields.length > maxRows }
}

/** The parent of the next row. */
interface Parent {
  readonly path: string
  readonly inputPath: InputPath | undefined
  readonly depth: number
  readonly above: readonly FormNode[]
}

class RowWriter {
  readonly rows: ManRow[] = []
  more = false
  private readonly planner: FormPlanner
  private innerRows = 0

  constructor(planner: FormPlanner) {
    this.planner = planner
  }

  field({ name, schema, required }: SchemaField, parent: Parent): void {
    const given = parent.depth === 0 ? { name } : {}
    this.row({ role: 'field', required, ...given }, schema, child(parent, `.${plainLine(name)}`, name))
  }

  private row(
    head: Pick<ManRow, 'role' | 'name' | 'label'> & { readonly required?: boolean },
    schema: JsonSchema,
    { path, inputPath, depth, above }: Parent,
  ): void {
    const isFull =
      depth > 0 ? this.innerRows >= maxInnerRows || depth > maxDepth : this.rows.length >= maxRows
    if (isFull) {
      this.more = true
      return
    }
    if (depth > 0) this.innerRows += 1
    const node = nodeOf(this.planner, schema)
    const facts = rowFacts(this.planner, node)
    const repeats = above.includes(node)
    const notices = repeats ? [...facts.notices, 'The same again: its parts stand above.'] : facts.notices
    const location = { path, depth, ...(inputPath !== undefined && { inputPath }) }
    this.rows.push({ required: false, ...head, ...location, ...facts, notices })
    if (repeats) return
    if (this.innerRows < maxInnerRows)
      this.inside(node, { path, inputPath, depth: depth + 1, above: [...above, node] })
    else this.more ||= ['object', 'array', 'union'].includes(node.kind)
  }

  /** Fields, further keys, items, variants. */
  inside(node: FormNode, parent: Parent): void {
    if (node.kind === 'object') this.object(node, parent)
    if (node.kind === 'array') this.items(node, parent)
    if (node.kind === 'union')
      for (const { label, schema } of node.branches)
        this.row({ role: 'variant', label: plainLine(label) }, schema, parent)
  }

  private object(node: Extract<FormNode, { kind: 'object' }>, parent: Parent): void {
    for (const field of fieldsOf(this.planner, node)) {
      if (this.innerRows >= maxInnerRows) {
        this.more = true
        break
      }
      this.field(field, parent)
    }
    for (const { pattern, schema } of node.patterns)
      this.row({ role: 'other keys' }, schema, child(parent, `.<${plainLine(pattern)}>`))
    if (this.hasContent(node.additional))
      this.row({ role: 'other keys' }, node.additional, child(parent, '.<key>'))
  }

  private items(node: Extract<FormNode, { kind: 'array' }>, parent: Parent): void {
    for (const [index, schema] of node.prefix.entries())
      this.row({ role: 'item' }, schema, child(parent, `[${index}]`, index))
    const items = nodeOf(this.planner, node.items)
    const inner = child(parent, '[]', null)
    // A list of plain objects: their fields follow at once, without a row that only says "object".
    if (items.kind === 'object' && items.schema.description === undefined && !parent.above.includes(items))
      this.object(items, { ...inner, above: [...parent.above, items] })
    else if (this.hasContent(node.items)) this.row({ role: 'item' }, node.items, inner)
  }

  /** False where a row would only repeat the type above. */
  private hasContent(schema: JsonSchema): boolean {
    if (typeof schema === 'boolean') return false
    const node = nodeOf(this.planner, schema)
    if (['object', 'array', 'union', 'enum', 'const'].includes(node.kind)) return true
    const { constraints, description, preset, examples } = rowFacts(this.planner, node)
    return constraints.length + examples.length > 0 || description !== undefined || preset !== undefined
  }
}

/** One level down; without a `key` the location in an input is unknown from there on. */
function child(parent: Parent, text: string, key?: string | number | null): Parent {
  const path = parent.path === '' && text.startsWith('.') ? text.slice(1) : `${parent.path}${text}`
  const inputPath =
    key === undefined || parent.inputPath === undefined ? undefined : [...parent.inputPath, key]
  return { ...parent, path, inputPath }
}
