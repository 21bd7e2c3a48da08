import { useRef } from 'react'
import type { EnumOption } from '../../../../../core/form/form-node.ts'
import { optionLabel } from '../../../../../core/form/union-branches.ts'
import { jsonEquals } from '../../../../../core/json/equality.ts'
import type { Json } from '../../../../../core/json/json.ts'
import { Chooser } from '../../fields/chooser.tsx'
import styles from '../../form.module.css'
import { ariaOf, type ControlProps } from '../control-props.ts'

const yesNo: readonly EnumOption[] = [
  { value: true, label: 'true' },
  { value: false, label: 'false' },
]

/** One of the schema's fixed values, of whatever JSON type. Nothing chosen means absent. */
export function ChoiceWidget(props: ControlProps) {
  const { node, value, onChange, placeholder, inPlace } = props
  const options = node.kind === 'enum' ? node.options : yesNo
  const chosen = value === undefined ? -1 : options.findIndex(option => jsonEquals(option.value, value))
  return (
    <Chooser
      attributes={ariaOf(props)}
      options={options}
      chosen={chosen}
      onChoose={index => onChange(options[index]?.value)}
      onClear={inPlace ? undefined : () => onChange(undefined)}
      notListed={value !== undefined && chosen < 0 ? JSON.stringify(value).slice(0, 60) : undefined}
      unset={inPlace && value !== undefined ? undefined : placeholder || 'not set'}
      searchHint={placeholder || `search ${options.length} values`}
    />
  )
}

/** The only value there is (null where the schema says so by its type): sent or left out. */
export function ConstWidget({ id, node, value, onChange, describedBy, invalid }: ControlProps) {
  const only = node.kind === 'const' ? node.value : null
  const strange = value !== undefined && !jsonEquals(value, only)
  return (
    <span className={styles.constant}>
      <input
        id={id}
        type="checkbox"
        checked={value !== undefined && !strange}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onChange={event => onChange(event.target.checked ? only : undefined)}
      />
      <code>{optionLabel(only)}</code>
      {strange && <span className={styles.error}>now {JSON.stringify(value)?.slice(0, 60)}</span>}
    </span>
  )
}

interface ChecklistProps {
  readonly id: string
  readonly labelId: string
  readonly options: readonly EnumOption[]
  readonly value: readonly Json[]
  readonly onChange: (value: readonly Json[]) => void
}

/**
 * A list whose items are a few fixed values, each at most once. New ones go to the end, one unticked by mistake back to
 * its place.
 */
export function ChecklistWidget({ id, labelId, options, value, onChange }: ChecklistProps) {
  const last = useRef<{ readonly value: Json; readonly index: number }>(undefined)
  const toggle = (option: Json, on: boolean) => {
    const index = value.findIndex(item => jsonEquals(item, option))
    const back = last.current && jsonEquals(last.current.value, option) ? last.current.index : value.length
    last.current = on ? undefined : { value: option, index }
    onChange(
      on ? [...value.slice(0, back), option, ...value.slice(back)] : value.filter((_, at) => at !== index),
    )
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be named by an element elsewhere
    <div className={styles.checklist} role="group" id={id} aria-labelledby={labelId}>
      {options.map(option => (
        <label key={JSON.stringify(option.value)} className={styles.check} title={option.description}>
          <input
            type="checkbox"
            checked={value.some(item => jsonEquals(item, option.value))}
            onChange={event => toggle(option.value, event.target.checked)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
