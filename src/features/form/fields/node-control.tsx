import type { FieldProps } from '@rjsf/utils'
import { useState } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import { type Json, jsonType } from '../../../../core/json/json.ts'
import { readJson, readNumber, writeJson } from '../../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { join } from '../../../ui/join.ts'
import { TextBox } from '../../../ui/scroll.tsx'
import styles from '../form.module.css'
import { useDraftValue, useFormScope } from '../form-scope.ts'
import { convert } from '../switch-branch.ts'
import { texts } from '../texts.ts'
import { QuietButton } from './buttons.tsx'
import { asRjsf, FieldLocationContext, useFieldLocation } from './field-location.ts'
import { getNodeStatus } from './node-status.ts'

/**
 * The control for the planned node, or for the value's own kind if the value does not fit the plan. Fields come from
 * RJSF's registry, which also allows them to nest.
 */
export function NodeControl(props: FieldProps) {
  const { node, path, id, label, required, readonly, status, asJson, fold, issues } = useFieldLocation()
  if (fold?.isOpen === false) return null
  if (asJson) return <JsonNode />
  if (status === 'null')
    return (
      <span className={join(styles.input, styles.nullValue)} id={id}>
        {texts.null}
      </span>
    )
  if (node.kind === 'never' && status === 'absent')
    return <p className="note">The schema does not accept any value here.</p>
  const name = status === 'misfit' ? 'AnyField' : fieldNames[node.kind]
  const Field = props.registry.fields[name]
  if (!Field) throw new Error(`The theme has no ${name}`)
  return (
    <Field
      {...props}
      schema={asRjsf(node.schema)}
      fieldPathId={{ $id: id, path: [...path] }}
      name={label}
      required={required}
      readonly={readonly}
      rawErrors={issues.map(issue => issue.message)}
    />
  )
}

const fieldNames: Readonly<Record<FormNode['kind'], string>> = {
  object: 'ObjectField',
  array: 'ArrayField',
  union: 'UnionField',
  any: 'AnyField',
  never: 'AnyField',
  string: 'ScalarField',
  number: 'ScalarField',
  boolean: 'ScalarField',
  null: 'ScalarField',
  const: 'ScalarField',
  enum: 'ScalarField',
}

interface KindOfJson {
  readonly name: string
  /** Objects and lists accept any JSON inside. */
  readonly schema: JsonSchema
  /** The value when this kind is chosen; absent if the user must enter it. */
  readonly start?: Json
  /** The first value in a list or map, where a value cannot be absent. */
  readonly placeholder?: Json
}

const kinds = {
  string: { name: 'text', schema: { type: 'string' }, placeholder: '' },
  number: { name: 'number', schema: { type: 'number' }, placeholder: '' },
  boolean: { name: 'true / false', schema: { type: 'boolean' }, placeholder: false },
  object: { name: 'object', schema: { type: 'object' }, start: {} },
  array: { name: 'list', schema: { type: 'array' }, start: [] },
  null: { name: texts.null, schema: { type: 'null' }, start: null },
} satisfies Record<string, KindOfJson>
type JsonKind = keyof typeof kinds

/** A field for any JSON: the user chooses a kind and gets its control. An existing value determines the kind. */
export function AnyField(props: FieldProps) {
  const location = useFieldLocation()
  const { path, label, isItem, readonly } = location
  const { store, planner } = useFormScope()
  const value = useDraftValue(path)
  const [chosen, setChosen] = useState<JsonKind>(location.node.kind === 'object' ? 'object' : 'string')
  const halfNumber = chosen === 'number' && typeof value === 'string' && readNumber(value) === null
  const kind = value === undefined || halfNumber ? chosen : jsonType(value)
  const { schema } = kinds[kind]
  const node = planner.plan(schema)
  const status = getNodeStatus(node, value)

  const choose = (next: JsonKind) => {
    setChosen(next)
    const { schema, start, placeholder }: KindOfJson = kinds[next]
    const isEntered = value !== undefined && value !== null && value !== ''
    const carried = isEntered ? convert(planner.plan(schema), value) : undefined
    store.set(path, start === null ? null : (carried ?? start ?? (isItem ? placeholder : undefined)))
  }
  return (
    <div className={kind === 'object' || kind === 'array' ? join(styles.any, styles.anyBlock) : styles.any}>
      <select
        className={join(styles.input, styles.kind)}
        aria-label={`Type of ${label}`}
        value={kind}
        disabled={readonly}
        onChange={event => choose(event.target.value as JsonKind)}
      >
        {Object.entries(kinds).map(([value, { name }]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </select>
      {kind !== 'null' && (
        <div className={join('stack', styles.anyValue)}>
          {status === 'misfit' ? (
            <JsonNode />
          ) : (
            <FieldLocationContext
              value={{ ...location, node, schema, status, preset: undefined, depth: location.depth + 1 }}
            >
              <NodeControl {...props} />
            </FieldLocationContext>
          )}
        </div>
      )}
    </div>
  )
}

/** A value as JSON text, with its schema below. Valid JSON updates the draft. */
function JsonNode() {
  const { id, label, path, schema, describedBy, readonly, asJson, onJson } = useFieldLocation()
  const { store } = useFormScope()
  const value = useDraftValue(path)
  const [draft, setDraft] = useState<{ readonly text: string; readonly value: Json | undefined }>()
  const text = draft && sameValue(draft.value, value) ? draft.text : writeJson(value)
  const reading = readJson(text)
  const problem = reading.ok ? '' : `Not valid JSON, the value is unchanged: ${reading.message}`
  return (
    <div className={join('stack', styles.json)}>
      <textarea
        id={id}
        className={join(styles.input, styles.long, styles.mono)}
        aria-label={`${label} as JSON`}
        aria-describedby={describedBy}
        aria-invalid={problem !== '' || undefined}
        rows={Math.min(16, Math.max(2, text.split('\n').length))}
        readOnly={readonly}
        value={text}
        onChange={event => {
          const next = readJson(event.target.value)
          if (next.ok) store.set(path, next.value)
          setDraft({ text: event.target.value, value: next.ok ? next.value : value })
        }}
      />
      {problem !== '' && (
        <span className={styles.error} role="status">
          {problem}
        </span>
      )}
      {asJson && <QuietButton onClick={() => onJson(false)}>{texts.editWithTheField}</QuietButton>}
      <details>
        <summary className="note">Schema</summary>
        <TextBox maxHeight={220}>{schemaText(schema)}</TextBox>
      </details>
    </div>
  )
}

function sameValue(left: Json | undefined, right: Json | undefined): boolean {
  return left === right || jsonEquals(left, right)
}

function schemaText(schema: unknown): string {
  const text = JSON.stringify(schema, null, 2) ?? ''
  return text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text
}
