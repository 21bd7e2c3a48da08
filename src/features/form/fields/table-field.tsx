import { descriptionId, type FieldProps, getUiOptions, titleId, type UiSchema } from '@rjsf/utils'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import type { ArrayNode, FormNode } from '../../../../core/form/form-node.ts'
import { extraSchema } from '../../../../core/form/object-fields.ts'
import { areFlat, areRows, type ListColumn, otherKeys, planListTable } from '../../../../core/form/pasted.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import { type Path, toPointer } from '../../../../core/json/pointer.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { Badge } from '../../../ui/badge.tsx'
import { join } from '../../../ui/join.ts'
import form from '../form.module.css'
import { childPath, fieldId, useDraftSelector, useFormScope, useIssues } from '../form-scope.ts'
import { texts } from '../texts.ts'
import { FieldMenu, ItemActions, type ItemEdits, MiniButton } from './buttons.tsx'
import { Issues } from './field-frame.tsx'
import { type FieldLocation, pickUiSchema } from './field-location.ts'
import { nodeLabel, readNonBlankText } from './node-status.ts'
import { inOrder } from './object-field.tsx'
import { ChildField } from './schema-field.tsx'
import styles from './table-field.module.css'

export interface TableColumn extends ListColumn {
  readonly title: string
  readonly description?: string
  /** Set if only values have this key: `unknown` to the schema, or `added` if the schema allows other keys. */
  readonly other?: 'unknown' | 'added'
  /** Props of each cell in the column. */
  readonly cell: { readonly describedBy: string | undefined }
}

export interface TableLayout {
  readonly columns: readonly TableColumn[]
  readonly isTableUsed: boolean
  /** Switches between table and cards; absent if the items cannot be rows. */
  readonly onSwitch?: () => void
}

/** The user's choice for each list, by schema and pointer. It outlives the form, which the JSON tab removes. */
const choices = new WeakMap<object, Map<string, boolean>>()

/** Decides whether a list is drawn as a table, and with which columns; undefined if the schema does not allow a table. */
export function useListTable(
  field: FieldProps,
  { path, id }: Pick<FieldLocation, 'path' | 'id'>,
  list: ArrayNode,
): TableLayout | undefined {
  const { planner } = useFormScope()
  const pointer = toPointer(path)
  const chosen = getOrCreateChoices(planner.root)
  const [isChosen, setChosen] = useState(() => chosen.get(pointer))
  const table = useMemo(() => planListTable(planner, list), [planner, list])
  const others = useOtherKeys(path, table?.columns)
  const uiSchema = pickUiSchema(field.uiSchema, 'items')
  const columns = useMemo(() => {
    const item = planner.plan(list.items)
    if (!table || item.kind !== 'object') return undefined
    const added = (JSON.parse(others ?? '[]') as readonly string[]).map(name => {
      const { schema, known } = extraSchema(item, name)
      return { name, schema, required: false, node: planner.plan(schema), other: addedOr(known) }
    })
    return [...inOrder(table.columns, uiSchema), ...added]
      .filter(column => getUiOptions(pickUiSchema(uiSchema, column.name)).widget !== 'hidden')
      .map((column, index) => asTableColumn(column, uiSchema, `${id}-column${index}`))
  }, [table, others, planner, list, uiSchema, id])
  if (!table || !columns) return undefined
  if (others === undefined) return { columns, isTableUsed: false }
  const isTableUsed = isChosen ?? table.isUsual
  const onSwitch = () => {
    chosen.set(pointer, !isTableUsed)
    setChosen(!isTableUsed)
  }
  return { columns, isTableUsed, onSwitch }
}

function getOrCreateChoices(schema: JsonSchema): Map<string, boolean> {
  const known = isObject(schema) ? choices.get(schema) : undefined
  const chosen = known ?? new Map<string, boolean>()
  if (isObject(schema)) choices.set(schema, chosen)
  return chosen
}

const addedOr = (known: boolean) => (known ? 'added' : 'unknown') as 'added' | 'unknown'

function asTableColumn(column: ListColumn, uiSchema: UiSchema, id: string): TableColumn {
  const options = getUiOptions(pickUiSchema(uiSchema, column.name))
  const description =
    readNonBlankText(options.description) ?? readNonBlankText(column.node.schema.description)
  return {
    ...column,
    title: readNonBlankText(options.title) ?? column.name,
    ...(description !== undefined && { description }),
    cell: { describedBy: description === undefined ? undefined : descriptionId(id) },
  }
}

/**
 * Returns the item keys without a column, as JSON; undefined if the items cannot be rows. Items with objects or lists
 * are drawn as cards, unless the user entered those in the table: an edit must not turn it into cards.
 */
function useOtherKeys(path: Path, columns: readonly ListColumn[] | undefined): string | undefined {
  const seen = useRef<{ readonly value: Json | undefined; readonly answer: string | undefined }>(undefined)
  const decided = useRef<{ readonly epoch: number; readonly length: number; readonly isFlat: boolean }>(
    undefined,
  )
  return useDraftSelector(draft => {
    if (!columns) return undefined
    const value = draft.get(path)
    if (seen.current && seen.current.value === value) return seen.current.answer
    const items: readonly Json[] = Array.isArray(value) ? value : []
    const { epoch } = draft
    if (decided.current?.epoch !== epoch || decided.current.length !== items.length)
      decided.current = { epoch, length: items.length, isFlat: areFlat(items) }
    const isTable = decided.current.isFlat && areRows(items)
    const answer = isTable ? JSON.stringify(otherKeys(columns, items)) : undefined
    seen.current = { value, answer }
    return answer
  })
}

interface ItemTableProps {
  /** The list's field props. */
  readonly field: FieldProps
  readonly location: FieldLocation
  readonly columns: readonly TableColumn[]
  /** React's key of each drawn row. */
  readonly keys: readonly number[]
  /** Length of the whole list. */
  readonly length: number
  readonly buildItemEdits: (index: number) => ItemEdits
}

/** A list of flat objects as a table: a row for each item, a column for each property, a field in each cell. */
export function ItemTable({ field, location, columns, keys, length, buildItemEdits }: ItemTableProps) {
  const { id } = location
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => (scroller.current ? markHiddenColumns(scroller.current) : undefined), [])
  return (
    <div className={styles.scroll} ref={scroller}>
      <table className={styles.table} aria-labelledby={titleId(id)} onKeyDown={openMenuOfCell}>
        <colgroup>
          <col className={styles.number} />
          {columns.map(({ name, node }) => (
            <col key={name} style={{ width: getCellWidth(node) }} />
          ))}
          <col className={styles.actions} />
        </colgroup>
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">Row</span>
            </th>
            {columns.map(column => (
              <ColumnHead key={column.name} field={field} location={location} column={column} />
            ))}
            <td className={styles.sticky} />
          </tr>
        </thead>
        <tbody>
          {keys.map((key, index) => (
            <TableRow
              key={key}
              field={field}
              location={location}
              columns={columns}
              index={index}
              length={length}
              {...buildItemEdits(index)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Marks the table with `data-more` while columns at its end are scrolled out of sight. Returns the function that stops it. */
function markHiddenColumns(scroller: HTMLElement): () => void {
  const mark = () => {
    const { scrollLeft, clientWidth, scrollWidth } = scroller
    scroller.toggleAttribute('data-more', scrollLeft + clientWidth < scrollWidth - 1)
  }
  const sizes = new ResizeObserver(mark)
  for (const box of [scroller, ...scroller.children]) sizes.observe(box)
  scroller.addEventListener('scroll', mark)
  return () => {
    sizes.disconnect()
    scroller.removeEventListener('scroll', mark)
  }
}

/** Opens a cell's menu on Shift+F10 or the menu key: its button is not a tab stop, so that Tab moves between cells. */
function openMenuOfCell(event: KeyboardEvent): void {
  if (event.key !== 'ContextMenu' && !(event.key === 'F10' && event.shiftKey)) return
  if (!(event.target instanceof Element)) return
  const button = event.target.closest('td')?.querySelector<HTMLElement>('[aria-haspopup=menu]')
  if (!button) return
  event.preventDefault()
  button.click()
}

interface ColumnHeadProps {
  readonly field: FieldProps
  readonly location: FieldLocation
  readonly column: TableColumn
}

/** The heading of a column: name, required mark, type and description of all its cells. */
function ColumnHead({ field, location, column }: ColumnHeadProps) {
  const { store } = useFormScope()
  const { name, title, node, schema, required, other, description, cell } = column
  const { DescriptionFieldTemplate } = field.registry.templates
  const type = other === 'unknown' ? texts.notInTheSchema : nodeLabel(node)
  const removeColumn = () => {
    const rows = store.get(location.path)
    if (Array.isArray(rows))
      store.set(
        location.path,
        rows.map((row: Json) => without(row, name)),
      )
  }
  return (
    <th scope="col">
      <span className={join('row', styles.head)}>
        <span className={form.label}>
          {title}
          {required && (
            <span className={form.required} aria-hidden>
              {' '}
              *
            </span>
          )}
        </span>
        {node.schema.deprecated === true && <Badge>{texts.deprecated}</Badge>}
        {other && !location.readonly && (
          <MiniButton aria-label={`Remove column ${name}`} onClick={removeColumn}>
            <X size={13} aria-hidden />
          </MiniButton>
        )}
      </span>
      <span className={join('faint truncate', styles.type)} title={type}>
        {type}
      </span>
      {description !== undefined && (
        <DescriptionFieldTemplate
          id={cell.describedBy ?? ''}
          description={description}
          schema={isObject(schema) ? schema : {}}
          registry={field.registry}
        />
      )}
    </th>
  )
}

function without(row: Json, key: string): Json {
  if (!isObject(row)) return row
  const { [key]: _, ...rest } = row
  return rest
}

interface TableRowProps extends Omit<ItemTableProps, 'keys' | 'buildItemEdits'>, ItemEdits {
  readonly index: number
}

function TableRow({ field, location, columns, index, length, ...edits }: TableRowProps) {
  const { idPrefix } = useFormScope()
  const path = childPath(location.path, index)
  const id = fieldId(idPrefix, path)
  const issues = useIssues(path)
  const uiSchema = pickUiSchema(field.uiSchema, 'items', index)
  const name = `${location.label} ${index + 1}`
  return (
    <>
      <tr id={id} data-path={toPointer(path)} data-node="object">
        <th scope="row" id={titleId(id)} className={styles.number}>
          <span className="visually-hidden">{location.label} </span>
          {index + 1}
        </th>
        {columns.map(column => (
          <td key={column.name} className={join(form.line, styles.cell)}>
            <ChildField
              holder={field}
              schema={column.schema}
              uiSchema={pickUiSchema(uiSchema, column.name)}
              path={childPath(path, column.name)}
              name={`${name} ${column.title}`}
              required={column.required}
              depth={location.depth + 2}
              column={column.cell}
              isItem={column.other !== undefined}
              unknown={column.other === 'unknown'}
            />
          </td>
        ))}
        <td className={styles.sticky}>
          {!location.readonly && (
            <span className={join('row', form.actions)}>
              <ItemActions {...edits} name={name} index={index} length={length} />
              <FieldMenu labelId={titleId(id)} items={() => rowMenu(edits, index, length)} />
            </span>
          )}
        </td>
      </tr>
      {issues.length > 0 && (
        <tr>
          <td colSpan={columns.length + 2}>
            <Issues id={id} issues={issues} subject={name} />
          </td>
        </tr>
      )}
    </>
  )
}

/** Returns the menu of a row. In a narrow table only this menu can move the row. */
function rowMenu({ onDuplicate, onMove }: ItemEdits, index: number, length: number) {
  return [
    { label: texts.duplicate, onSelect: onDuplicate },
    ...(index > 0 ? [{ label: 'Move up', onSelect: () => onMove(index - 1) }] : []),
    ...(index < length - 1 ? [{ label: 'Move down', onSelect: () => onMove(index + 1) }] : []),
  ]
}

/** Returns the width in pixels of a cell's control and menu. A wider table distributes the rest. */
function getCellWidth(node: FormNode): number {
  switch (node.kind) {
    case 'number':
      return 104
    case 'boolean':
      return 156
    case 'string':
      return node.control === 'text' || node.control === 'email' || node.control === 'uri' ? 150 : 230
    default:
      return 150
  }
}
