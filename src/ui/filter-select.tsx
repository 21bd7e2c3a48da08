import styles from './filter-select.module.css'

interface FilterSelectProps {
  readonly label: string
  /** The entry without a filter. */
  readonly all?: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly value: string | undefined
  readonly onChange: (value: string | undefined) => void
}

/** A filter with a few choices; marked while it is set. A native select works well on every device. */
export function FilterSelect({ label, all, choices, value, onChange }: FilterSelectProps) {
  return (
    <select
      className={styles.select}
      aria-label={label}
      data-set={all === undefined || value === undefined ? undefined : ''}
      value={value ?? ''}
      onChange={event => onChange(event.target.value || undefined)}
    >
      {all !== undefined && <option value="">{all}</option>}
      {choices.map(choice => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
