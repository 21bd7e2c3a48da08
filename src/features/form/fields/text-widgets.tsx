import type { WidgetProps } from '@rjsf/utils'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { useSuggestions } from '../suggestions.ts'
import { texts } from '../texts.ts'
import { useFieldLocation } from './field-location.ts'
import { textAttributes } from './widget-attributes.ts'

const anyText = { control: 'text', suggestions: [] } as const

/** A text input that becomes a text area when the text has a line break (Shift+Enter). Empty means absent. */
export function TextWidget(props: WidgetProps) {
  const { value, onChange } = props
  const { node, path } = useFieldLocation()
  const { control, suggestions: written } = node.kind === 'string' ? node : anyText
  const text = typeof value === 'string' ? value : ''
  const [requested, setFocused] = useSuggestions(path, text)
  const suggestions = requested.length > 0 ? requested : written
  const [grown, setGrown] = useState(false)
  /** The caret position to restore when the input becomes a text area. */
  const caret = useRef<number>(undefined)
  const takeOver = (area: HTMLTextAreaElement | null) => {
    if (caret.current === undefined || area === null) return
    area.focus()
    area.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }
  const listId = useId()
  const several = grown || control === 'long' || text.includes('\n')

  if (several)
    return (
      <textarea
        {...textAttributes(props)}
        className={join(styles.input, styles.long)}
        ref={takeOver}
        rows={Math.min(12, Math.max(3, text.split('\n').length))}
        spellCheck
      />
    )

  /** Switches to a text area, because a one-line input drops line breaks. */
  const insertLines = (input: HTMLInputElement, added: string) => {
    const start = input.selectionStart ?? text.length
    const lines = added.replace(/\r\n?/g, '\n')
    caret.current = start + lines.length
    setGrown(true)
    onChange(text.slice(0, start) + lines + text.slice(input.selectionEnd ?? start))
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text')
    if (!/[\r\n]/.test(pasted)) return
    event.preventDefault()
    insertLines(event.currentTarget, pasted)
  }
  const breakLine = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== 'Enter' || !event.shiftKey) return
    event.preventDefault()
    insertLines(event.currentTarget, '\n')
  }
  const list = suggestions.length > 0 ? listId : undefined
  const attributes = textAttributes(props)
  return (
    <>
      <input
        {...attributes}
        onFocus={() => {
          attributes.onFocus()
          setFocused(true)
        }}
        onBlur={() => {
          attributes.onBlur()
          setFocused(false)
        }}
        className={styles.input}
        type="text"
        title="Shift+Enter: new line"
        inputMode={control === 'email' ? 'email' : control === 'uri' ? 'url' : undefined}
        list={list}
        onPaste={paste}
        onKeyDown={breakLine}
      />
      {list && (
        <datalist id={list}>
          {suggestions.map(suggestion => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  )
}

/** A text input in the code font, for a value with a format. Empty means absent. */
export function CodeInput({ hint = '', ...props }: WidgetProps & { readonly hint?: string }) {
  const attributes = textAttributes({ ...props, placeholder: props.placeholder || hint })
  return <input {...attributes} className={join(styles.input, styles.mono)} type="text" />
}

/** A UUID as text, with a button that generates one. */
export function UuidWidget(props: WidgetProps) {
  return (
    <span className={styles.joined}>
      <CodeInput {...props} />
      <Button
        aria-label={`New UUID for ${props.label}`}
        disabled={props.readonly}
        onClick={() => props.onChange(crypto.randomUUID())}
      >
        New
      </Button>
    </span>
  )
}

/** A colour as text, with the browser's own picker. */
export function ColorWidget(props: WidgetProps) {
  const text = typeof props.value === 'string' ? props.value : ''
  return (
    <span className={styles.joined}>
      <CodeInput {...props} hint="#rrggbb" />
      <input
        className={styles.swatch}
        type="color"
        aria-label={texts.pick(props.label)}
        disabled={props.readonly}
        value={/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : '#000000'}
        onChange={event => props.onChange(event.target.value)}
      />
    </span>
  )
}

/** A number as text, so that `9007199254740993` and `1.50` stay exact. It is not rounded or clamped. */
export function NumberWidget(props: WidgetProps) {
  return (
    <input
      {...textAttributes(props)}
      className={styles.input}
      type="text"
      inputMode={props.schema.type === 'integer' ? 'numeric' : 'decimal'}
    />
  )
}

/** A text that is masked until the user shows it. */
export function SecretWidget(props: WidgetProps) {
  const [isVisible, setVisible] = useState(false)
  const attributes = textAttributes(props)
  return (
    <span className={styles.joined}>
      {attributes.value.includes('\n') ? (
        <textarea
          {...attributes}
          className={join(styles.input, styles.long, !isVisible && styles.masked)}
          rows={3}
        />
      ) : (
        <input {...attributes} className={styles.input} type={isVisible ? 'text' : 'password'} />
      )}
      <Button
        aria-pressed={isVisible}
        aria-label={`Show ${props.label}`}
        onClick={() => setVisible(!isVisible)}
      >
        {isVisible ? 'Hide' : 'Show'}
      </Button>
    </span>
  )
}
