import type { EnumOption } from '../../../../../core/schema/form-node.ts'
import { type Json, jsonEquals } from '../../../../../core/schema/json-text.ts'

interface ChecklistProps {
  readonly id: string
  readonly labelId: string
  readonly options: readonly EnumOption[]
  readonly value: readonly Json[]
  readonly onChange: (value: readonly Json[]) => void
}

/** A list whose items are a few fixed values, each at most once. New ones go to the end. */
export function ChecklistWidget({ id, labelId, options, value, onChange }: ChecklistProps) {
  const toggle = (option: Json, on: boolean) =>
    onChange(on ? [...value, option] : value.filter(item => !jsonEquals(item, option)))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be named by an element elsewhere
    <div className="f-checks" role="group" id={id} aria-labelledby={labelId}>
      {options.map(option => (
        <label key={JSON.stringify(option.value)} className="f-check" title={option.description}>
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
