import { optionLabel } from '../../../../../core/form/union-branches.ts'
import { jsonEquals } from '../../../../../core/json/equality.ts'
import styles from '../../form.module.css'
import type { ControlProps } from '../control-props.ts'

/** The only value there is (null where the schema says so by its type): sent or left out. */
export function ConstWidget({ id, node, value, onChange, describedBy, invalid }: ControlProps) {
  const only = node.kind === 'const' ? node.value : null
  const strange = value !== undefined && !jsonEquals(value, only)
  return (
    <span className={styles.constant}>
      <input
        id={id}
        type="checkbox"
        checked={value !== undefined && !strange}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        onChange={event => onChange(event.target.checked ? only : undefined)}
      />
      <code>{optionLabel(only)}</code>
      {strange && <span className={styles.error}>now {JSON.stringify(value)?.slice(0, 60)}</span>}
    </span>
  )
}
