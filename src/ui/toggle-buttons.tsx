import type { ReactNode } from 'react'
import { join } from './join.ts'
import styles from './toggle-buttons.module.css'

interface SegmentsProps<Value extends string> {
  readonly legend: string
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** By default one row in a frame; `grid`: two columns of equal width; `apart`: separate small buttons. */
  readonly look?: 'grid' | 'apart'
}

/** A choice of one of a few options, which are all visible. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { legend, choices, value, onChange, look } = props
  return (
    <fieldset className={join(styles.segments, look && styles[look])}>
      <legend className="visually-hidden">{legend}</legend>
      {choices.map(choice => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  )
}

interface ToggleChipsProps<Value extends string> {
  readonly legend: string
  readonly choices: readonly {
    readonly value: Value
    readonly label: ReactNode
    readonly title?: string
    readonly testId?: string
  }[]
  readonly pressed: readonly Value[]
  /** Receives the pressed values in the order of the choices. */
  readonly onChange: (pressed: readonly Value[]) => void
  /** Replaces the default look of small chips in a row. */
  readonly className?: string | undefined
}

/** Small toggle buttons in a row; any number of them can be on. */
export function ToggleChips<Value extends string>(props: ToggleChipsProps<Value>) {
  const { legend, choices, pressed, onChange, className } = props
  const toggle = (value: Value) =>
    onChange(choices.map(choice => choice.value).filter(each => pressed.includes(each) !== (each === value)))
  return (
    <fieldset className={className ?? styles.chips}>
      <legend className="visually-hidden">{legend}</legend>
      {choices.map(({ value, label, title, testId }) => (
        <button
          key={value}
          type="button"
          className={className ? undefined : styles.chip}
          aria-pressed={pressed.includes(value)}
          title={title}
          data-testid={testId}
          onClick={() => toggle(value)}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
