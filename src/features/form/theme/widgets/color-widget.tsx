import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
import { ariaOf, type KindProps } from '../control-props.ts'

/** A colour as text, with the browser's own picker beside it. */
export function ColorWidget(props: KindProps<'string'>) {
  const { label, value, onChange, placeholder } = props
  const text = typeof value === 'string' ? value : ''
  return (
    <span className={styles.joined}>
      <input
        {...ariaOf(props)}
        className={join(styles.input, styles.mono)}
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={text}
        placeholder={placeholder === '' ? '#rrggbb' : placeholder}
        onChange={event => onChange(event.target.value === '' ? undefined : event.target.value)}
      />
      <input
        className={styles.swatch}
        type="color"
        aria-label={`Pick ${label}`}
        value={/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : '#000000'}
        onChange={event => onChange(event.target.value)}
      />
    </span>
  )
}
