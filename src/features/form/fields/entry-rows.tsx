import type { FieldProps } from '@rjsf/utils'
import { Plus } from 'lucide-react'
import { useRef, useState } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { extraSchema, type ObjectFields } from '../../../../core/form/object-fields.ts'
import { isObject, type Json } from '../../../../core/json/json.ts'
import type { Path } from '../../../../core/json/pointer.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { childPath, useFormScope } from '../form-scope.ts'
import { QuietButton, ShowMore } from './buttons.tsx'
import { pickUiSchema } from './field-location.ts'
import { ChildField } from './schema-field.tsx'

interface EntryRowsProps {
  /** The object's field props. */
  readonly field: FieldProps
  readonly node: Extract<FormNode, { kind: 'object' }>
  readonly extras: ObjectFields['extras']
  readonly path: Path
  readonly depth: number
  readonly label: string
  readonly id: string
}

const pageSize = 50

/** The keys that the schema does not name, each with its value, and a button that adds one. */
export function EntryRows({ field, node, extras, path, depth, label, id }: EntryRowsProps) {
  const { store, planner } = useFormScope()
  // Keys that have no value yet; `''` is a new entry.
  const [pending, setPending] = useState<readonly string[]>([])
  const [limit, setLimit] = useState(pageSize)
  const rowIds = useRef(new Map<string, string>())
  const waiting = pending.filter(name => !extras.some(extra => extra.name === name))
  const rows = [...extras, ...waiting.map(name => ({ name, ...extraSchema(node, name) }))]
  const isMap = node.additionalStated || (depth > 0 && node.properties.length === 0)
  const mayAdd =
    !field.readonly &&
    (node.additional !== false || node.patterns.length > 0) &&
    (isMap || depth === 0 || rows.length > 0) &&
    !waiting.includes('')

  const add = () => {
    const taken = new Set(rows.map(row => row.name))
    let name = ''
    for (let number = 1; taken.has(name); number++) name = `key${number}`
    rowIds.current.set(name, crypto.randomUUID())
    setPending([...pending, name])
  }
  const rename = (from: string, to: string): string | null => {
    const value = store.get(path)
    const object = isObject(value) ? value : {}
    if (from === to) return null
    if (Object.hasOwn(object, to)) return `“${to}” already exists`
    // Keeps the row, and with it the control that is about to receive the focus.
    rowIds.current.set(to, rowIds.current.get(from) ?? from)
    rowIds.current.delete(from)
    if (!Object.hasOwn(object, from)) {
      setPending(pending.map(name => (name === from ? to : name)))
      const start = pickStartValue(planner.plan(extraSchema(node, to).schema))
      if (start !== undefined) store.set(childPath(path, to), start)
      else if (value === undefined) store.set(path, {})
      return null
    }
    const renamed = Object.entries<Json>(object).map(([key, value]): [string, Json] => [
      key === from ? to : key,
      value,
    ])
    store.set(path, Object.fromEntries(renamed))
    return null
  }
  return (
    <>
      {rows.slice(0, limit).map(row => (
        <div key={rowIds.current.get(row.name) ?? row.name} className={styles.entry}>
          <EntryKey
            id={`${id}-key`}
            node={node}
            name={row.name}
            holder={label}
            readonly={field.readonly === true}
            onCommit={to => rename(row.name, to)}
            {...(waiting.includes(row.name) && {
              onCancel: () => setPending(pending.filter(name => name !== row.name)),
            })}
          />
          <ChildField
            holder={field}
            schema={row.schema}
            uiSchema={pickUiSchema(field.uiSchema, 'additionalProperties')}
            path={childPath(path, row.name)}
            name={row.name === '' ? 'the new property' : row.name}
            isItem
            inLine
            unknown={!row.known}
            depth={depth + 1}
          />
        </div>
      ))}
      <ShowMore limit={limit} length={rows.length} pageSize={pageSize} what="properties" onLimit={setLimit} />
      {mayAdd && (
        <QuietButton className={isMap ? undefined : styles.subtle} data-add-entry onClick={add}>
          <Plus size={13} aria-hidden /> Add property
        </QuietButton>
      )}
    </>
  )
}

/** Returns the first value of a new entry; undefined if its kind has no empty value and the user must enter one. */
function pickStartValue(node: FormNode): Json | undefined {
  if (node.kind === 'string' || node.kind === 'any') return ''
  if (node.kind === 'object') return {}
  if (node.kind === 'array') return []
  return node.kind === 'const' ? node.value : undefined
}

interface EntryKeyProps {
  readonly id: string
  readonly node: Extract<FormNode, { kind: 'object' }>
  readonly name: string
  readonly holder: string
  readonly readonly?: boolean
  /** Returns the reason why the key is refused, or `null` if it was accepted. */
  readonly onCommit: (name: string) => string | null
  /** Removes an entry that has no value yet. */
  readonly onCancel?: () => void
}

/** The key of a map's entry; Enter or leaving the field applies it. A new entry receives the focus. */
function EntryKey({ id, node, name, holder, onCommit, onCancel, readonly = false }: EntryKeyProps) {
  const { planner, focus } = useFormScope()
  const [draft, setDraft] = useState<string>()
  const [problem, setProblem] = useState<string | null>(null)
  const names = node.propertyNames === undefined ? undefined : planner.plan(node.propertyNames)
  const options = names?.kind === 'enum' ? names.options.map(option => String(option.value)) : []
  const hint = names?.schema.pattern ?? node.patterns[0]?.pattern
  const listId = `${id}-names`
  const commit = () => {
    if (draft === undefined || draft === name) return
    const refused = onCommit(draft)
    setProblem(refused)
    if (refused === null) setDraft(undefined)
  }
  return (
    <div>
      <input
        className={join(styles.input, styles.mono)}
        aria-label={name === '' ? `Key of the new property in ${holder}` : `Key ${name} in ${holder}`}
        aria-invalid={problem !== null || undefined}
        data-entry-key
        list={options.length > 0 ? listId : undefined}
        placeholder={typeof hint === 'string' ? hint : 'key'}
        readOnly={readonly}
        // biome-ignore lint/a11y/noAutofocus: the user has just added this entry
        autoFocus={onCancel !== undefined}
        value={draft ?? name}
        onChange={event => setDraft(event.target.value)}
        onBlur={() => focus.afterPress(commit)}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.metaKey && !event.ctrlKey) {
            event.preventDefault()
            commit()
          } else if (event.key === 'Escape' && onCancel) {
            event.stopPropagation()
            onCancel()
          }
        }}
      />
      {options.length > 0 && (
        <datalist id={listId}>
          {options.map(option => (
            <option key={option} value={option} />
          ))}
        </datalist>
      )}
      {problem !== null && <span className={styles.error}>{problem}</span>}
    </div>
  )
}
