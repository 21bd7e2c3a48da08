import { type FieldProps, getUiOptions, type UiSchema } from '@rjsf/utils'
import { Plus } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { FormNode, FormProperty } from '../../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../../core/form/form-schema.ts'
import { type ObjectFields, objectFields } from '../../../../core/form/object-fields.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import { isObject } from '../../../../core/json/json.ts'
import type { Path } from '../../../../core/json/pointer.ts'
import { join } from '../../../ui/join.ts'
import type { DraftStore } from '../draft-store.ts'
import styles from '../form.module.css'
import { childPath, useDraftSelector, useFormScope } from '../form-scope.ts'
import { texts } from '../texts.ts'
import { QuietButton, ShowMore } from './buttons.tsx'
import { EntryRows } from './entry-rows.tsx'
import { type FieldLocation, pickUiSchema, useFieldLocation } from './field-location.ts'
import { nodeLabel, presetText, showsPreset } from './node-status.ts'
import { OptionalFields } from './optional-fields.tsx'
import { ChildField } from './schema-field.tsx'

type ObjectPlan = Extract<FormNode, { kind: 'object' }>

/** Fields drawn before the user asks for more. */
const pageSize = 100
/** A required object below this depth opens on demand: a schema can require itself without end. */
const maxVirtualDepth = 2

/** An object: the fields of its schema, then the keys that only the value has. */
export function ObjectField(props: FieldProps) {
  const location = useFieldLocation()
  return location.node.kind === 'object' ? (
    <Properties field={props} location={location} node={location.node} />
  ) : null
}

interface PropertiesProps {
  readonly field: FieldProps
  readonly location: FieldLocation
  readonly node: ObjectPlan
}

function Properties({ field, location, node }: PropertiesProps) {
  const { path, id, label, required, depth, status, readonly, settled = [] } = location
  const { store, planner } = useFormScope()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const [limit, setLimit] = useState(pageSize)
  const fields = useObjectFields(store, planner, node, path)

  const seen = useSeen(store)
  // Compared as text, so that equal names do not render again.
  const decided: readonly string[] = JSON.parse(
    useDraftSelector(draft =>
      JSON.stringify(
        settled.flatMap(([key, value]) => (jsonEquals(draft.get(childPath(path, key)), value) ? [key] : [])),
      ),
    ),
  )
  if (status === 'absent' && (!required || depth > maxVirtualDepth))
    return (
      <QuietButton data-add="" disabled={readonly} onClick={() => store.set(path, {})}>
        <Plus size={13} aria-hidden /> Add {label}
      </QuietButton>
    )
  const offered = inOrder(fields.properties, field.uiSchema).filter(
    property => !decided.includes(property.name) || seen.has(property.name),
  )
  const visible = pickVisible(
    offered,
    planner,
    name => opened.has(name) || store.get(childPath(path, name)) !== undefined,
    seen,
    depth,
  )
  const drawn = new Set(visible)
  for (const { name } of visible) seen.add(name)
  const hidden = offered.filter(property => !drawn.has(property))
  const halves = pairUp(visible.slice(0, limit), planner)
  const open = (property: FormProperty) => {
    setOpened(new Set([...opened, property.name]))
    const propertyPath = childPath(path, property.name)
    if (planner.plan(property.schema).kind === 'object') store.set(propertyPath, {})
  }
  return (
    <div className={depth > 0 ? join(styles.nested, styles.grid) : styles.grid}>
      {status === 'absent' && depth > 0 && !readonly && (
        <QuietButton onClick={() => store.set(path, {})}>{texts.setToEmptyObject}</QuietButton>
      )}
      {node.demands.map(demand => (
        <p key={JSON.stringify(demand)} className="note">
          {demand.keyword === 'oneOf' ? 'Exactly' : 'At least'} one of:{' '}
          {demand.alternatives.map(keys => keys.join(' + ') || 'none').join(' · ')}
        </p>
      ))}
      {visible.slice(0, limit).map(property => (
        <ChildField
          key={property.name}
          holder={field}
          schema={property.schema}
          uiSchema={pickUiSchema(field.uiSchema, property.name)}
          path={childPath(path, property.name)}
          name={property.name}
          required={property.required}
          half={halves.has(property.name)}
          depth={depth + 1}
        />
      ))}
      <ShowMore limit={limit} length={visible.length} pageSize={pageSize} what="fields" onLimit={setLimit} />
      {hidden.length > 0 && !readonly && <OptionalFields hidden={hidden} label={label} onAdd={open} />}
      <EntryRows
        field={field}
        node={node}
        extras={fields.extras}
        path={path}
        depth={depth}
        label={label}
        id={id}
      />
    </div>
  )
}

/**
 * Returns the properties in the order of `ui:order`; names that it omits come last, or at its `*`. RJSF's own
 * `orderProperties` drops properties with names such as `constructor`.
 */
export function inOrder<Property extends { readonly name: string }>(
  properties: readonly Property[],
  uiSchema: UiSchema | undefined,
): readonly Property[] {
  const { order } = getUiOptions(uiSchema)
  if (order === undefined) return properties
  const ranks = new Map([...new Set([...order, '*'])].map((name, rank) => [name, rank]))
  const getRank = ({ name }: Property) => ranks.get(name) ?? ranks.get('*') ?? 0
  return properties.toSorted((left, right) => getRank(left) - getRank(right))
}

/** Returns the names of the drawn fields: a field that the user empties or sets to the branch's value must stay. */
function useSeen(store: DraftStore): Set<string> {
  const seen = useRef({ epoch: store.epoch, names: new Set<string>() })
  if (seen.current.epoch !== store.epoch) seen.current = { epoch: store.epoch, names: new Set() }
  return seen.current.names
}

/** Renders again only when keys are added or removed, or a condition changes. */
function useObjectFields(
  store: DraftStore,
  planner: FormPlanner,
  node: ObjectPlan,
  path: Path,
): ObjectFields {
  const read = useMemo(() => {
    let seen: unknown
    let signature = ''
    let fields = objectFields(planner, node, undefined)
    return () => {
      const value = store.get(path)
      if (value === seen && signature !== '') return fields
      seen = value
      const object = isObject(value) ? value : undefined
      // Without conditions only the keys count, and typing changes no key.
      const next = node.conditionals.length > 0 ? objectFields(planner, node, object) : undefined
      const named = next?.properties.map(({ name, required }) => [name, required])
      const nextSignature = JSON.stringify([Object.keys(object ?? {}), named])
      if (nextSignature !== signature) fields = next ?? objectFields(planner, node, object)
      signature = nextSignature
      return fields
    }
  }, [store, planner, node, path])
  return useDraftSelector(read)
}

/** Optional fields that are open initially, at the top level and below. */
const maxOpenAtTop = 8
const maxOpenBelow = 4

/**
 * Returns the required fields, those with a value, those the user opened, and the first few optional ones. No optional
 * field is added later.
 */
function pickVisible(
  properties: readonly FormProperty[],
  planner: FormPlanner,
  isWanted: (name: string) => boolean,
  seen: ReadonlySet<string>,
  depth: number,
): FormProperty[] {
  const isOpen = ({ name, required }: FormProperty) => required || seen.has(name)
  const sure = new Set(properties.filter(property => isOpen(property) || isWanted(property.name)))
  const limit = depth === 0 ? maxOpenAtTop : maxOpenBelow
  let taken = properties.filter(isOpen).length
  return properties.filter(property => {
    if (sure.has(property)) return true
    if (taken >= limit) return false
    const { kind } = planner.plan(property.schema)
    if (kind === 'object' || kind === 'never') return false
    taken++
    return true
  })
}

/** Returns the small adjacent fields that share a line in pairs. */
function pairUp(visible: readonly FormProperty[], planner: FormPlanner): ReadonlySet<string> {
  const halves = new Set<string>()
  let waiting: string | undefined
  for (const { name, schema } of visible) {
    const small = isSmallField(planner, name, schema)
    if (small && waiting !== undefined) {
      halves.add(waiting).add(name)
      waiting = undefined
    } else waiting = small ? name : undefined
  }
  return halves
}

/** Name, type and default must fit in one row with the buttons. */
const maxHalfRowLength = 28
/** The description must fit on one line of half a row, so that paired controls have the same height. */
const maxHalfDescriptionLength = 34

function isSmallField(planner: FormPlanner, name: string, schema: FormProperty['schema']): boolean {
  const node = planner.plan(schema)
  const preset = showsPreset(node, undefined) ? undefined : presetText(node, planner)
  const row = [name, nodeLabel(node), preset, node.nullable ? texts.null : undefined]
  if (row.join('').length > maxHalfRowLength) return false
  if (
    typeof node.schema.description === 'string' &&
    node.schema.description.length > maxHalfDescriptionLength
  )
    return false
  if (node.kind === 'number' || node.kind === 'boolean' || node.kind === 'const') return true
  if (node.kind === 'enum') return node.options.every(option => option.label.length < 20)
  return node.kind === 'string' && ['date', 'time', 'date-time', 'color', 'email'].includes(node.control)
}
