import { Button } from '../../../../ui/button.tsx'
import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
import { type KindProps, textAttributes } from '../control-props.ts'

/** One line of text in the code font, for a value with a format. Emptied means absent. */
export function CodeInput({ hint = '', ...props }: KindProps<'string'> & { readonly hint?: string }) {
  const attributes = textAttributes({ ...props, placeholder: props.placeholder || hint })
  return <input {...attributes} className={join(styles.input, styles.mono)} type="text" />
}

/** A UUID as text, or a fresh random one. */
export function UuidWidget(props: KindProps<'string'>) {
  return (
    <span className={styles.joined}>
      <CodeInput {...props} />
      <Button aria-label={`New UUID for ${props.label}`} onClick={() => props.onChange(crypto.randomUUID())}>
        New
      </Button>
    </span>
  )
}

/** A colour as text, with the browser's own picker beside it. */
export function ColorWidget(props: KindProps<'string'>) {
  const text = typeof props.value === 'string' ? props.value : ''
  return (
    <span className={styles.joined}>
      <CodeInput {...props} hint="#rrggbb" />
      <input
        className={styles.swatch}
        type="color"
        aria-label={`Pick ${props.label}`}
        value={/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : '#000000'}
        onChange={event => props.onChange(event.target.value)}
      />
    </span>
  )
}
