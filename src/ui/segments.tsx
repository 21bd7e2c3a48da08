import { join } from './join.ts'
import styles from './segments.module.css'

interface SegmentsProps<Value extends string> {
  readonly legend: string
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** Two columns of equal width instead of one row. */
  readonly isGrid?: boolean
}

/** One of a few choices, all visible. */
export function Segments<Value extends string>({
  legend,
  choices,
  value,
  onChange,
  isGrid = false,
}: SegmentsProps<Value>) {
  return (
    <fieldset className={join(styles.segments, isGrid && styles.grid)}>
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
