import { useState } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { type Json, jsonType } from '../../../../core/json/json.ts'
import { readNumber } from '../../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { useDraftValue, useFormScope } from '../form-scope.ts'
import { convert } from '../switch-branch.ts'
import { JsonNode } from './json-node.tsx'
import { NodeControl } from './node-control.tsx'
import type { NodeControlProps } from './node-control-props.ts'
import { statusOf } from './node-status.ts'

const kinds = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const
type Kind = (typeof kinds)[number]

const names: Readonly<Record<Kind, string>> = {
  string: 'text',
  number: 'number',
  boolean: 'true / false',
  object: 'object',
  array: 'list',
  null: 'null',
}

/** Any JSON: the user says what kind of value it is, and gets that kind's control. The value's own kind leads. */
export function AnyField(props: NodeControlProps) {
  const { path, id, label } = props
  const { store, planner } = useFormScope()
  const value = useDraftValue(path)
  const [chosen, setChosen] = useState<Kind>(props.node.kind === 'object' ? 'object' : 'string')
  const halfNumber = chosen === 'number' && typeof value === 'string' && readNumber(value) === null
  const kind = value === undefined || halfNumber ? chosen : jsonType(value)
  const schema = schemas[kind]
  const node = planner.plan(schema)
  const status = statusOf(node, value)

  const choose = (next: Kind) => {
    setChosen(next)
    const start = startValue(next, planner.plan(schemas[next]), value)
    store.set(path, start ?? (props.inPlace ? placeholders[next] : undefined))
  }
  return (
    <div className={kind === 'object' || kind === 'array' ? join(styles.any, styles.anyBlock) : styles.any}>
      <select
        className={join(styles.input, styles.kind)}
        aria-label={`Kind of ${label}`}
        value={kind}
        onChange={event => choose(event.target.value as Kind)}
      >
        {kinds.map(name => (
          <option key={name} value={name}>
            {names[name]}
          </option>
        ))}
      </select>
      {kind !== 'null' && (
        <div className={styles.anyValue}>
          {status === 'misfit' ? (
            <JsonNode {...props} />
          ) : (
            <NodeControl
              {...props}
              node={node}
              schema={schema}
              id={id}
              status={status}
              depth={props.depth + 1}
            />
          )}
        </div>
      )}
    </div>
  )
}

/** Schemas of the bare kinds; objects and lists hold any JSON again. */
const schemas: Readonly<Record<Kind, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  null: { type: 'null' },
}

/** What stands in a list or map, which have no place for “absent”, until a value is entered. */
const placeholders: Partial<Record<Kind, Json>> = { string: '', number: '', boolean: false }

/** What a freshly chosen kind starts with: containers and null at once, the others when something is entered. */
function startValue(kind: Kind, node: FormNode, value: Json | undefined): Json | undefined {
  if (kind === 'null') return null
  const converted = value === undefined || value === null ? undefined : convert(node, value)
  if (converted !== undefined) return converted
  if (kind === 'object') return {}
  return kind === 'array' ? [] : undefined
}
