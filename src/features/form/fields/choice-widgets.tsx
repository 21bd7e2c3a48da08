import type { EnumOptionsType, WidgetProps } from '@rjsf/utils'
import { useRef } from 'react'
import { jsonEquals } from '../../../../core/json/equality.ts'
import type { Json } from '../../../../core/json/json.ts'
import styles from '../form.module.css'
import { texts } from '../texts.ts'
import { Chooser } from './chooser.tsx'
import { useFieldLocation } from './field-location.ts'
import { pickControlAttributes } from './text-widgets.tsx'

const noOptions: readonly EnumOptionsType[] = []

/** A choice of one of the schema's fixed values, of any JSON type. No choice means absent. */
export function ChoiceWidget(props: WidgetProps) {
  const { value, onChange, placeholder, readonly } = props
  const { isItem } = useFieldLocation()
  const { enumOptions: options = noOptions } = props.options
  const chosen = value === undefined ? -1 : options.findIndex(option => jsonEquals(option.value, value))
  return (
    <Chooser
      attributes={pickControlAttributes(props)}
      options={options.map(({ label, value, schema }) => ({
        label,
        value,
        ...(schema?.description !== undefined && { description: schema.description }),
      }))}
      chosen={chosen}
      disabled={readonly === true}
      onChoose={index => onChange(options[index]?.value)}
      onClear={isItem ? undefined : () => onChange(undefined)}
      notListed={value !== undefined && chosen < 0 ? JSON.stringify(value).slice(0, 60) : undefined}
      unset={isItem && value !== undefined ? undefined : placeholder || texts.notSet}
      searchHint={placeholder || `search ${options.length} values`}
    />
  )
}

/** A check box for the only allowed value (`null` for the type null): sent or left out. */
export function ConstWidget(props: WidgetProps) {
  const { id, value, onChange, readonly } = props
  const only = props.options.enumOptions?.[0]
  const strange = value !== undefined && !jsonEquals(value, only?.value)
  return (
    <span className={styles.constant}>
      <input
        id={id}
        type="checkbox"
        checked={value !== undefined && !strange}
        disabled={readonly}
        aria-describedby={props['aria-describedby']}
        aria-invalid={props['aria-invalid']}
        onChange={event => onChange(event.target.checked ? only?.value : undefined)}
      />
      <code>{only?.label}</code>
      {strange && <span className={styles.error}>now {JSON.stringify(value)?.slice(0, 60)}</span>}
    </span>
  )
}

/**
 * Check boxes for a list of a few fixed values, each at most once. A checked value is added at the end; the one
 * unchecked last returns to its position.
 */
export function ChecklistWidget(props: WidgetProps) {
  const { id, onChange, readonly } = props
  const { enumOptions = noOptions } = props.options
  const value: readonly Json[] = props.value
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
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be named by another element
    <div className={styles.checklist} role="group" id={id} aria-labelledby={props['aria-labelledby']}>
      {enumOptions.map(option => (
        <label key={JSON.stringify(option.value)} className={styles.check} title={option.schema?.description}>
          <input
            type="checkbox"
            disabled={readonly}
            checked={value.some(item => jsonEquals(item, option.value))}
            onChange={event => toggle(option.value, event.target.checked)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
