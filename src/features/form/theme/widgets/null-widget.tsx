import styles from '../../form.module.css'
import type { ControlProps } from '../control-props.ts'

/** A place where only null may stand: set or left out. */
export function NullWidget({ id, value, onChange, describedBy }: ControlProps) {
  return (
    <span className={styles.constant}>
      <input
        id={id}
        type="checkbox"
        checked={value === null}
        aria-describedby={describedBy}
        onChange={event => onChange(event.target.checked ? null : undefined)}
      />
      <code>null</code>
    </span>
  )
}
