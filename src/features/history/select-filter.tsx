import styles from './select-filter.module.css'

interface SelectFilterProps {
  readonly label: string
  /** What the first choice says: no filter. */
  readonly all: string
  readonly value: string | undefined
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  readonly onChange: (value: string | undefined) => void
}

/** One filter as a native list: it opens well on every device. */
export function SelectFilter({ label, all, value, choices, onChange }: SelectFilterProps) {
  return (
    <select
      className={styles.select}
      aria-label={label}
      data-set={value === undefined ? undefined : ''}
      value={value ?? ''}
      onChange={event => onChange(event.target.value || undefined)}
    >
      <option value="">{all}</option>
      {choices.map(choice => (
        <option key={choice.value} value={choice.value}>
          {choice.label}
        </option>
      ))}
    </select>
  )
}
