/** A list of flat objects as a table: a row for each item, a column for each property, a field in each cell. */
import { type FieldProps, titleId } from '@rjsf/utils'
import { X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import { toPointer } from '../../../../core/json/pointer.ts'
import { Badge } from '../../../ui/badge.tsx'
import { join } from '../../../ui/join.ts'
import form from '../form.module.css'
import { childPath, fieldId, useFormScope, useIssues } from '../form-scope.ts'
import { texts } from '../texts.ts'
import { MiniButton } from './buttons.tsx'
import { ChildField } from './child-field.tsx'
import { Issues } from './field-frame.tsx'
import { type FieldLocation, pickUiSchema } from './field-location.ts'
import { FieldMenu } from './field-menu.tsx'
import { ItemActions, type ItemEdits } from './item-actions.tsx'
import { nodeLabel } from './node-status.ts'
import type { TableColumn } from './table-columns.ts'
import styles from './table-field.module.css'

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
