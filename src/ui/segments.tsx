import { join } from './join.ts'
import styles from './segments.module.css'

interface SegmentsProps<Value extends string> {
  readonly legend: string
  readonly choices: readonly { readonly value: Value; readonly label: string }[]
  readonly value: Value
  readonly onChange: (value: Value) => void
  /** One row in one frame when absent; `grid`: two columns of equal width; `apart`: small buttons side by side. */
  readonly look?: 'grid' | 'apart'
}

/** One of a few choices, all visible. */
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
