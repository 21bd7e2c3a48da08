import type { FieldProps } from '@rjsf/utils'
import { useState } from 'react'
import { type Json, jsonType } from '../../../../core/json/json.ts'
import { readNumber } from '../../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { useDraftValue, useFormScope } from '../form-scope.ts'
import { convert } from '../switch-branch.ts'
import { texts } from '../texts.ts'
import { FieldLocationContext, useFieldLocation } from './field-location.ts'
import { JsonNode } from './json-node.tsx'
import { NodeControl } from './node-control.tsx'
import { getNodeStatus } from './node-status.ts'

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
        aria-label={`Kind of ${label}`}
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
