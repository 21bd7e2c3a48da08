import { type ClipboardEvent, useId, useState } from 'react'
import { isJsonNumber, numberText } from '../../../../../core/json/json.ts'
import { readNumber } from '../../../../../core/json/json-text.ts'
import { Button } from '../../../../ui/button.tsx'
import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
import { type KindProps, textAttributes } from '../control-props.ts'

/** One line of text; becomes several lines as soon as the text holds a line break. Emptied means absent. */
export function TextWidget(props: KindProps<'string'>) {
  const { node, value, onChange } = props
  const text = typeof value === 'string' ? value : ''
  const [grown, setGrown] = useState(false)
  const listId = useId()
  const several = grown || node.control === 'long' || text.includes('\n')

  if (several)
    return (
      <textarea
        {...textAttributes(props)}
        className={join(styles.input, styles.long)}
        rows={Math.min(12, Math.max(3, text.split('\n').length))}
        spellCheck
      />
    )

  /** A one-line input would drop the line breaks of what is pasted. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text')
    if (!/[\r\n]/.test(pasted)) return
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    const start = selectionStart ?? text.length
    setGrown(true)
    onChange(text.slice(0, start) + pasted.replace(/\r\n?/g, '\n') + text.slice(selectionEnd ?? start))
  }
  const suggestions = node.suggestions.length > 0 ? listId : undefined
  return (
    <>
      <input
        {...textAttributes(props)}
        className={styles.input}
        type="text"
        inputMode={node.control === 'email' ? 'email' : node.control === 'uri' ? 'url' : 'text'}
        list={suggestions}
        onPaste={paste}
      />
      {suggestions && (
        <datalist id={listId}>
          {node.suggestions.map(suggestion => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  )
}

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

/**
 * A number by its digits, so that `9007199254740993` and `1.50` stay what they are; nothing is rounded or clamped.
 * What is no number yet (`-`, `1e`) is kept as the text it is, and the validator says so.
 */
export function NumberWidget(props: KindProps<'number'>) {
  const { node, value, onChange } = props
  const change = (text: string) => {
    const trimmed = text.trim()
    const plain = trimmed.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')
    onChange(trimmed === '' ? undefined : (readNumber(plain) ?? trimmed))
  }
  return (
    <input
      {...textAttributes(props)}
      className={styles.input}
      type="text"
      inputMode={node.integer ? 'numeric' : 'decimal'}
      value={isJsonNumber(value) ? numberText(value) : typeof value === 'string' ? value : ''}
      onChange={event => change(event.target.value)}
    />
  )
}

/** Text that is masked until the user asks to see it. */
export function SecretWidget(props: KindProps<'string'>) {
  const [shown, setShown] = useState(false)
  const attributes = textAttributes(props)
  return (
    <span className={styles.joined}>
      {attributes.value.includes('\n') ? (
        <textarea
          {...attributes}
          className={join(styles.input, styles.long, !shown && styles.masked)}
          rows={3}
        />
      ) : (
        <input {...attributes} className={styles.input} type={shown ? 'text' : 'password'} />
      )}
      <Button aria-pressed={shown} aria-label={`Show ${props.label}`} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : 'Show'}
      </Button>
    </span>
  )
}
