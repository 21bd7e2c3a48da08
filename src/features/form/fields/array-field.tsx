import { type FieldProps, getUiOptions } from '@rjsf/utils'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { type ClipboardEvent, useRef, useState } from 'react'
import type { EnumOption, FormNode } from '../../../../core/form/form-node.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import type { Json } from '../../../../core/json/json.ts'
import { readJson, readNumber } from '../../../../core/json/json-text.ts'
import type { Path } from '../../../../core/json/pointer.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { childPath, useDraftSelector, useDraftValue, useFormScope } from '../form-scope.ts'
import { MiniButton, QuietButton, ShowMore } from './buttons.tsx'
import { ChildField } from './child-field.tsx'
import { type Place, uiOf, usePlace } from './place.ts'
import { WidgetOf } from './scalar-field.tsx'
import { startValue } from './start-value.ts'

type ArrayPlan = Extract<FormNode, { kind: 'array' }>
interface Props {
  readonly field: FieldProps
  readonly place: Place
  readonly node: ArrayPlan
}

/** An item of the list by its index, or a new one. */
type Placed = number | { readonly added: Json }

const pageSize = 50
/** Up to this many fixed values are ticked rather than listed. */
const maxChecks = 24

/** A list: ticked where the items are a few fixed values, else one field an item. */
export function ArrayField(props: FieldProps) {
  const place = usePlace()
  return place.node.kind === 'array' ? <List field={props} place={place} node={place.node} /> : null
}

function List(props: Props) {
  const { node } = props
  const { path } = props.place
  const { planner } = useFormScope()
  const item = planner.plan(node.items)
  const options = node.prefix.length === 0 && item.kind === 'enum' ? item.options : []
  const isNamed = getUiOptions(props.field.uiSchema).widget !== undefined
  const checkable = options.length > 0 && (isNamed || options.length <= maxChecks)
  // Decided once for a value from outside: an edit must not turn a list into boxes in the hand.
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

function Checks(props: Props & { readonly options: readonly EnumOption[] }) {
  const { path } = props.place
  const { store } = useFormScope()
  const value = useDraftValue(path)
  // What no tick at all means: what was last seen without one, absent or [].
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

function ItemList({ field, place, node }: Props) {
  const { path, id, label, depth, status, readonly } = place
  const { store, planner } = useFormScope()
  const list = (): readonly Json[] => {
    const value = store.get(path)
    return Array.isArray(value) ? value : []
  }
  const length = useDraftSelector(() => list().length)
  const keys = useItemKeys(length)
  const [limit, setLimit] = useState(pageSize)
  const [pasting, setPasting] = useState(false)
  const edit = (order: readonly Placed[]) => {
    const items = list()
    keys.reorder(order.map(each => (typeof each === 'number' ? each : undefined)))
    store.set(
      path,
      order.map(each => (typeof each === 'number' ? (items[each] as Json) : each.added)),
    )
  }
  const indexes = (): Placed[] => [...list().keys()]
  const append = (items: readonly Json[], from: readonly Placed[] = indexes()) =>
    edit([...from, ...items.map(added => ({ added }))])
  const itemPlan = planner.plan(node.items)
  const scalar = ['string', 'number', 'any'].includes(itemPlan.kind) && node.prefix.length === 0

  const add = () => {
    const plan = planner.plan(node.prefix[length] ?? node.items)
    append([startValue(plan, planner)])
    if (length >= limit) setLimit(limit + 1)
  }

  /** Lines pasted into one item become items. */
  const onPaste = (event: ClipboardEvent) => {
    if (!scalar || !(event.target instanceof HTMLInputElement) || event.target.value !== '') return
    const pasted = splitPasted(event.clipboardData.getData('text'), itemPlan)
    if (pasted.length < 2) return
    event.preventDefault()
    event.stopPropagation()
    append(pasted, list().at(-1) === '' ? indexes().slice(0, -1) : indexes())
  }
  const mayAdd = !readonly && (node.items !== false || length < node.prefix.length)
  return (
    <div className={styles.list} onPasteCapture={onPaste}>
      {Array.from({ length: Math.min(length, limit) }, (_, index) => (
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
          onRemove={() => edit(indexes().toSpliced(index, 1))}
          onMove={to => edit(indexes().toSpliced(index, 1).toSpliced(to, 0, index))}
          onDuplicate={() => edit(indexes().toSpliced(index + 1, 0, { added: list()[index] as Json }))}
        />
      ))}
      <ShowMore limit={limit} length={length} pageSize={pageSize} what="items" onLimit={setLimit} />
      <div className={join('row wrap', styles.buttonRow)}>
        {mayAdd && (
          <QuietButton data-add-item id={status === 'absent' ? id : undefined} onClick={add}>
            <Plus size={13} aria-hidden /> Add item
          </QuietButton>
        )}
        {scalar && mayAdd && (
          <QuietButton aria-expanded={pasting} onClick={() => setPasting(!pasting)}>
            Paste list
          </QuietButton>
        )}
        {status === 'absent' && !readonly && (
          <QuietButton data-empty onClick={() => store.set(path, [])}>
            Empty list
          </QuietButton>
        )}
      </div>
      {pasting && (
        <PasteList
          label={label}
          onDone={text => {
            if (text !== null) append(splitPasted(text, itemPlan))
            setPasting(false)
          }}
        />
      )}
    </div>
  )
}

/** React keys that go with the items when they move. Items that come from elsewhere get new ones at the end. */
function useItemKeys(length: number) {
  const state = useRef({ keys: [] as readonly number[], next: 0 })
  const { keys } = state.current
  const missing = Math.max(0, length - keys.length)
  if (keys.length !== length)
    state.current.keys = [
      ...keys.slice(0, length),
      ...Array.from({ length: missing }, () => state.current.next++),
    ]
  return {
    current: state.current.keys,
    /** @param order the former index of each item; undefined: a new item */
    reorder: (order: readonly (number | undefined)[]) => {
      const { keys: before } = state.current
      state.current.keys = order.map(
        index => (index === undefined ? undefined : before[index]) ?? state.current.next++,
      )
    },
  }
}

interface PasteListProps {
  readonly label: string
  /** The text to add, or `null` when it was called off. */
  readonly onDone: (text: string | null) => void
}

/** Many items at once. */
function PasteList({ label, onDone }: PasteListProps) {
  const [text, setText] = useState('')
  return (
    <div className="stack">
      <textarea
        className={join(styles.input, styles.long)}
        aria-label={`Items to add to ${label}`}
        placeholder="one item a line, or a JSON array"
        rows={4}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <div className={join('row wrap', styles.buttonRow)}>
        <Button onClick={() => onDone(text)}>Add these</Button>
        <QuietButton onClick={() => onDone(null)}>Never mind</QuietButton>
      </div>
    </div>
  )
}

interface ArrayItemProps {
  /** Of the list. */
  readonly field: FieldProps
  readonly schema: JsonSchema
  /** Of the list. */
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

/** One item with what can be done to it as a whole: move, duplicate, remove. */
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
        uiSchema={uiOf(field.uiSchema, 'items', index)}
        path={childPath(path, index)}
        name={name}
        inPlace
        depth={depth + 1}
        folded={kind === 'object' && props.folded}
        holderMenu={() => [{ label: 'Duplicate', onSelect: props.onDuplicate }]}
        holderActions={field.readonly ? undefined : <ItemActions {...props} name={name} />}
      />
    </div>
  )
}

function ItemActions(props: ArrayItemProps & { readonly name: string }) {
  const { index, length, name } = props
  return (
    <>
      <MiniButton
        aria-label={`Move ${name} up`}
        disabled={index === 0}
        onClick={() => props.onMove(index - 1)}
      >
        <ArrowUp size={13} aria-hidden />
      </MiniButton>
      <MiniButton
        aria-label={`Move ${name} down`}
        disabled={index === length - 1}
        onClick={() => props.onMove(index + 1)}
      >
        <ArrowDown size={13} aria-hidden />
      </MiniButton>
      <MiniButton data-remove aria-label={`Remove ${name}`} onClick={props.onRemove}>
        <X size={13} aria-hidden />
      </MiniButton>
    </>
  )
}

/**
 * The items of a pasted list: a JSON array, lines, or (for numbers and fixed values) commas. Texts stay texts for string
 * items, numbers are read for number items.
 */
function splitPasted(text: string, item: FormNode): Json[] {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) {
    const reading = readJson(trimmed)
    if (reading.ok && Array.isArray(reading.value)) return [...(reading.value as readonly Json[])]
  }
  const lines = trimmed.split(/\r\n|\r|\n/).map(line => line.trim())
  const byComma = item.kind === 'number' || item.kind === 'enum'
  const parts = lines.length > 1 || !byComma ? lines : trimmed.split(/[,;\t ]+/)
  return parts.filter(part => part !== '').map(part => asItem(part, item))
}

function asItem(text: string, item: FormNode): Json {
  if (item.kind === 'string') return text
  if (item.kind === 'enum') return item.options.find(option => option.label === text)?.value ?? text
  return readNumber(text) ?? text
}
