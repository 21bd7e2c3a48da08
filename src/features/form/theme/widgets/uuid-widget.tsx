import { Button } from '../../../../ui/button.tsx'
import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
import { ariaOf, type KindProps } from '../control-props.ts'

/** A UUID as text, or a fresh random one. */
export function UuidWidget(props: KindProps<'string'>) {
  const { label, value, onChange, placeholder } = props
  return (
    <span className={styles.joined}>
      <input
        {...ariaOf(props)}
        className={join(styles.input, styles.mono)}
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={typeof value === 'string' ? value : ''}
        placeholder={placeholder}
        onChange={event => onChange(event.target.value === '' ? undefined : event.target.value)}
      />
      <Button aria-label={`New UUID for ${label}`} onClick={() => onChange(crypto.randomUUID())}>
        New
      </Button>
    </span>
  )
}
