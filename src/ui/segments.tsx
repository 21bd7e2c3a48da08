import { join } from './join.ts'
import styles from './segments.module.css'

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
