import { useRef } from 'react'
import type { EnumOption } from '../../../../../core/form/form-node.ts'
import { jsonEquals } from '../../../../../core/json/equality.ts'
import type { Json } from '../../../../../core/json/json.ts'
import styles from '../../form.module.css'

interface ChecklistProps {
  readonly id: string
  readonly labelId: string
  readonly options: readonly EnumOption[]
  readonly value: readonly Json[]
  readonly onChange: (value: readonly Json[]) => void
}

/** A list whose items are a few fixed values, each at most once. New ones go to the end, one unticked by mistake back to its place. */
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
