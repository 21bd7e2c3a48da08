import { type FieldProps, getUiOptions } from '@rjsf/utils'
import { Plus } from 'lucide-react'
import { type ClipboardEvent, useReducer, useRef, useState } from 'react'
import type { EnumOption, FormNode } from '../../../../core/form/form-node.ts'
import type { Placed } from '../../../../core/form/pasted.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import type { Json } from '../../../../core/json/json.ts'
import type { Path } from '../../../../core/json/pointer.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/join.ts'
import { commonTexts } from '../../../ui/texts.ts'
import styles from '../form.module.css'
import { childPath, useDraftSelector, useDraftValue, useFormScope } from '../form-scope.ts'
import { texts } from '../texts.ts'
import { ItemActions, type ItemEdits, QuietButton, ShowMore } from './buttons.tsx'
import { type FieldLocation, pickUiSchema, useFieldLocation } from './field-location.ts'
import { type ListPasting, rowPasting, valuePasting } from './list-pasting.ts'
import { startValue } from './node-status.ts'
import { WidgetOf } from './scalar-field.tsx'
import { ChildField } from './schema-field.tsx'
import { ItemTable, useListTable } from './table-field.tsx'

type ArrayFormNode = Extract<FormNode, { kind: 'array' }>
interface ArrayFieldProps {
  readonly field: FieldProps
  readonly location: FieldLocation
  readonly node: ArrayFormNode
}

const pageSize = 50
/** Up to this many fixed values are check boxes; more are a list. */
const maxChecks = 24

/** A list: check boxes if its items are a few fixed values, otherwise one field for each item. */
export function ArrayField(props: FieldProps) {
  const location = useFieldLocation()
  return location.node.kind === 'array' ? (
    <List field={props} location={location} node={location.node} />
  ) : null
}

function List(props: ArrayFieldProps) {
  const { node } = props
  const { path } = props.location
  const { planner } = useFormScope()
  const item = planner.plan(node.items)
  const options = node.prefix.length === 0 && item.kind === 'enum' ? item.options : []
  const isNamed = getUiOptions(props.field.uiSchema).widget !== undefined
  const checkable = options.length > 0 && (isNamed || options.length <= maxChecks)
  // Decided once for each value from outside: an edit must not turn the list into check boxes.
  const decided = useRef<{ readonly epoch: number; readonly checks: boolean }>(undefined)
  const asChecks = useDraftSelector(store => {
    const fits = checkable && fitsChecks(options, store.get(path))
    if (decided.current?.epoch !== store.epoch) decided.current = { epoch: store.epoch, checks: fits }
    return decided.current.checks && fits
  })
  return asChecks ? <Checks {...props} options={options} /> : <ItemList {...props} />
}

function fitsChecks(options: readonly { readonly value: Json }[], value: Json | undefined): boolean {
  if (value === undefined) return true
  if (!Array.isArray(value) || value.length > options.length) return false
  return value.every(
    (item, index) =>
      options.some(option => jsonEquals(option.value, item)) &&
      value.findIndex(other => jsonEquals(other, item)) === index,
  )
}

function Checks(props: ArrayFieldProps & { readonly options: readonly EnumOption[] }) {
  const { path } = props.location
  const { store } = useFormScope()
  const value = useDraftValue(path)
  // With no box checked, the value is the last one without a check: absent or [].
  const emptied = useRef<readonly Json[] | undefined>(undefined)
  const items = Array.isArray(value) ? (value as readonly Json[]) : []
  if (items.length === 0) emptied.current = value === undefined ? undefined : items
  return (
    <WidgetOf
      {...props.field}
      fallback="ChecklistWidget"
      multiple
      options={props.options}
      value={items}
      onWidgetChange={next =>
        store.set(path, Array.isArray(next) && next.length === 0 ? emptied.current : next)
      }
    />
  )
}

function ItemList({ field, location, node }: ArrayFieldProps) {
  const { path, id, label, depth, status, readonly, onJson } = location
  const { store, planner } = useFormScope()
  const table = useListTable(field, location, node)
  const list = (): readonly Json[] => {
    const value = store.get(path)
    return Array.isArray(value) ? value : []
  }
  const length = useDraftSelector(() => list().length)
  const keys = useItemKeys(length)
  const [limit, setLimit] = useState(pageSize)
  const [isPasting, setPasting] = useState(false)
  const edit = (order: readonly Placed[]) => {
    const items = list()
    const indexes = order.map(each => (typeof each === 'number' ? each : each.at))
    keys.reorder(indexes)
    store.setItems(
      path,
      order.map(each => (typeof each === 'number' ? (items[each] as Json) : each.added)),
      indexes,
    )
  }
  const indexes = (): Placed[] => [...list().keys()]
  const itemPlan = planner.plan(node.items)
  const isScalar = ['string', 'number', 'any'].includes(itemPlan.kind) && node.prefix.length === 0
  const pasting = table ? rowPasting(table, path) : isScalar ? valuePasting(itemPlan) : undefined

  const add = () => {
    const plan = planner.plan(node.prefix[length] ?? node.items)
    edit([...indexes(), { added: startValue(plan, planner) }])
    if (length >= limit) setLimit(limit + 1)
  }
  const onPaste = (event: ClipboardEvent) => {
    const { target } = event
    if (readonly || !(target instanceof HTMLInputElement) || target.value !== '') return
    const order = pasting?.paste(list(), event.clipboardData.getData('text'), target)
    if (!order) return
    event.preventDefault()
    event.stopPropagation()
    edit(order)
  }
  const buildItemEdits = (index: number): ItemEdits => ({
    onRemove: () => edit(indexes().toSpliced(index, 1)),
    onMove: to => edit(indexes().toSpliced(index, 1).toSpliced(to, 0, index)),
    onDuplicate: () => edit(indexes().toSpliced(index + 1, 0, { added: list()[index] as Json })),
  })
  const mayAdd = !readonly && (node.items !== false || length < node.prefix.length)
  return (
    <div className={styles.list} onPasteCapture={onPaste}>
      {table?.isTableUsed
        ? length > 0 && (
            <ItemTable
              field={field}
              location={location}
              columns={table.columns}
              keys={keys.current.slice(0, limit)}
              length={length}
              buildItemEdits={buildItemEdits}
            />
          )
        : Array.from({ length: Math.min(length, limit) }, (_, index) => (
            <ArrayItem
              key={keys.current[index]}
              field={field}
              schema={node.prefix[index] ?? node.items}
              path={path}
              index={index}
              length={length}
              holder={label}
              depth={depth}
              folded={length > 3 && index > 0}
              {...buildItemEdits(index)}
            />
          ))}
      <ShowMore limit={limit} length={length} pageSize={pageSize} what="items" onLimit={setLimit} />
      <div className={join('row wrap', styles.buttonRow)}>
        {mayAdd && (
          <QuietButton data-add-item id={status === 'absent' ? id : undefined} onClick={add}>
            <Plus size={13} aria-hidden /> Add item
          </QuietButton>
        )}
        {pasting && mayAdd && (
          <QuietButton aria-expanded={isPasting} onClick={() => setPasting(!isPasting)}>
            {pasting.buttonText}
          </QuietButton>
        )}
        {status === 'absent' && !readonly && (
          <QuietButton data-empty onClick={() => store.set(path, [])}>
            {texts.setToEmptyList}
          </QuietButton>
        )}
        {path.length > 0 && !readonly && (
          <QuietButton onClick={() => onJson(true)}>{texts.editAsJson}</QuietButton>
        )}
        {table?.onSwitch && length > 0 && (
          <QuietButton data-switch onClick={table.onSwitch}>
            Show as {table.isTableUsed ? 'cards' : 'table'}
          </QuietButton>
        )}
      </div>
      {pasting && isPasting && (
        <PasteList
          label={label}
          pasting={pasting}
          onDone={items => {
            if (items !== null) edit(pasting.add(list(), items))
            setPasting(false)
          }}
        />
      )}
    </div>
  )
}

/** Returns React keys that move with their items. Items added from elsewhere get new keys at the end. */
function useItemKeys(length: number) {
  const state = useRef({ keys: [] as readonly number[], next: 0 })
  // A move keeps the length, and only a new length renders the list again.
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const { keys } = state.current
  const missing = Math.max(0, length - keys.length)
  if (keys.length !== length)
    state.current.keys = [
      ...keys.slice(0, length),
      ...Array.from({ length: missing }, () => state.current.next++),
    ]
  return {
    current: state.current.keys,
    /** @param order the former index of each item; undefined for a new one */
    reorder: (order: readonly (number | undefined)[]) => {
      const { keys: before } = state.current
      state.current.keys = order.map(
        index => (index === undefined ? undefined : before[index]) ?? state.current.next++,
      )
      redraw()
    },
  }
}

interface ArrayItemProps {
  /** The list's field props. */
  readonly field: FieldProps
  readonly schema: JsonSchema
  /** The list's path. */
  readonly path: Path
  readonly index: number
  readonly length: number
  readonly holder: string
  readonly depth: number
  readonly folded: boolean
  readonly onRemove: () => void
  readonly onMove: (to: number) => void
  readonly onDuplicate: () => void
}

/** One item of a list, with buttons to move, duplicate and remove it. */
function ArrayItem(props: ArrayItemProps) {
  const { field, schema, path, index, holder, depth } = props
  const { planner } = useFormScope()
  const { kind } = planner.plan(schema)
  const card = kind === 'object' || kind === 'union' || kind === 'array'
  const name = `${holder} ${index + 1}`
  return (
    <div className={card ? styles.card : styles.line}>
      <ChildField
        holder={field}
        schema={schema}
        uiSchema={pickUiSchema(field.uiSchema, 'items', index)}
        path={childPath(path, index)}
        name={name}
        isItem
        depth={depth + 1}
        folded={kind === 'object' && props.folded}
        holderMenu={() => [{ label: texts.duplicate, onSelect: props.onDuplicate }]}
        holderActions={field.readonly ? undefined : <ItemActions {...props} name={name} />}
      />
    </div>
  )
}

interface PasteListProps {
  readonly label: string
  readonly pasting: ListPasting
  /** Receives the items to add, or `null` after Cancel. */
  readonly onDone: (items: readonly Json[] | null) => void
}

/** A text field that adds many items. It shows what it understood before they are added. */
function PasteList({ label, pasting, onDone }: PasteListProps) {
  const [text, setText] = useState('')
  const { items, summary } = pasting.read(text)
  return (
    <div className="stack">
      <textarea
        className={join(styles.input, styles.long)}
        aria-label={`Items to add to ${label}`}
        placeholder={pasting.placeholder}
        rows={4}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <p className="note" role="status">
        {text.trim() !== '' && summary}
      </p>
      <div className={join('row wrap', styles.buttonRow)}>
        <Button disabled={items.length === 0} onClick={() => onDone(items)}>
          Add items
        </Button>
        <QuietButton onClick={() => onDone(null)}>{commonTexts.cancel}</QuietButton>
      </div>
    </div>
  )
}
