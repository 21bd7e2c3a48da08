import { optionLabel } from '../../../../../core/form/union-branches.ts'
import { jsonEquals } from '../../../../../core/json/equality.ts'
import styles from '../../form.module.css'
import type { ControlProps, KindProps } from '../control-props.ts'

/** The only value there is: sent or left out. */
export function ConstWidget({ id, node, value, onChange, describedBy, invalid }: KindProps<'const'>) {
  const strange = value !== undefined && !jsonEquals(value, node.value)
  return (
    <span className={styles.constant}>
      <input
        id={id}
        type="checkbox"
        checked={value !== undefined && !strange}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onChange={event => onChange(event.target.checked ? node.value : undefined)}
      />
      <code>{optionLabel(node.value)}</code>
      {strange && <span className={styles.error}>now {JSON.stringify(value)?.slice(0, 60)}</span>}
    </span>
  )
}

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
