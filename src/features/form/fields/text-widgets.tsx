import type { WidgetProps } from '@rjsf/utils'
import { CalendarDays } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useId, useRef, useState } from 'react'
import buttonStyles from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { useSuggestions } from '../suggestions.ts'
import { useFieldLocation } from './field-location.ts'

const pickerLabel = (label: string) => `Pick ${label}`

/** Returns the attributes of every control. */
export function pickControlAttributes(props: WidgetProps) {
  return {
    id: props.id,
    'aria-labelledby': props['aria-labelledby'],
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': props['aria-invalid'],
    'aria-required': props.required || undefined,
  }
}

/** Returns the attributes of a text control. An empty control means an absent value. */
function textAttributes(props: WidgetProps) {
  const { value, onChange, onBlur, onFocus, id, placeholder, readonly } = props
  return {
    ...pickControlAttributes(props),
    value: value === undefined ? '' : String(value),
    placeholder: placeholder || undefined,
    readOnly: readonly,
    onBlur: () => onBlur(id, value),
    onFocus: () => onFocus(id, value),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      onChange(target.value === '' ? undefined : target.value),
  }
}

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
function CodeInput({ hint = '', ...props }: WidgetProps & { readonly hint?: string }) {
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
        aria-label={pickerLabel(props.label)}
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

const pickerTypes = { date: 'date', time: 'time', 'date-time': 'datetime-local' } as const

/**
 * A date, a time or both as ISO text: seconds, fractions and the zone stay as written. The calendar button opens the
 * browser's own picker, which keeps the zone.
 */
export function MomentWidget(props: WidgetProps) {
  const { label, schema, value, onChange, readonly } = props
  const picker = useRef<HTMLInputElement>(null)
  const kind = momentKind(schema.format)
  const text = typeof value === 'string' ? value : ''
  const reading = describeMoment(kind, text)
  return (
    <>
      <span className={styles.joined}>
        <CodeInput {...props} hint={momentPattern(kind)} />
        <Button
          className={buttonStyles.icon}
          aria-label={pickerLabel(label)}
          disabled={readonly}
          onClick={() => openPicker(picker.current)}
        >
          <CalendarDays size={14} aria-hidden />
        </Button>
        <input
          ref={picker}
          className={styles.picker}
          type={pickerTypes[kind]}
          step={kind === 'date' ? undefined : 1}
          tabIndex={-1}
          aria-hidden
          value={toPicker(kind, text)}
          onChange={event =>
            event.target.value !== '' && onChange(withPicked(kind, text, event.target.value))
          }
        />
      </span>
      {reading !== '' && <span className="note">{reading}</span>}
    </>
  )
}

/** Opens the picker. The browser refuses outside of a click or without a picker: then the user types. */
function openPicker(input: HTMLInputElement | null): void {
  try {
    input?.showPicker()
  } catch {
    input?.focus()
  }
}

type MomentKind = 'date' | 'time' | 'date-time'

/** An ISO date or time, which the functions below convert to the values of the browser's pickers and back without loss. */
const moment = /^(?:(\d{4}-\d\d-\d\d)(?:[Tt ]|$))?(?:(\d\d:\d\d)(:\d\d)?(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)?$/

/** Returns the kind of a format: `full-date` is a date, `datetime` is both. */
function momentKind(format: string | undefined): MomentKind {
  if (format === 'date' || format === 'full-date') return 'date'
  return format === 'time' ? 'time' : 'date-time'
}

function momentPattern(kind: MomentKind): string {
  return { date: 'YYYY-MM-DD', time: 'hh:mm:ssZ', 'date-time': 'YYYY-MM-DDThh:mm:ssZ' }[kind]
}

/** Returns the value for a native `<input type=date|time|datetime-local>`; empty if it cannot show the text. */
function toPicker(kind: MomentKind, text: string): string {
  const [, day = '', clock = '', seconds = ''] = moment.exec(text) ?? []
  if (kind === 'date') return day
  if (kind === 'time') return clock + (clock && seconds)
  return day && clock ? `${day}T${clock}${seconds}` : ''
}

/** Returns the picked value with the previous zone, or with `Z` if there was none. */
function withPicked(kind: MomentKind, before: string, picked: string): string {
  if (kind === 'date') return picked
  const zone = moment.exec(before)?.[5] ?? 'Z'
  const full = /\d\d:\d\d:\d\d/.test(picked) ? picked : picked.replace(/(\d\d:\d\d)$/, '$1:00')
  return `${full}${zone}`
}

/** Returns `Sat 21 Nov 2026, 18:30:00 UTC`; empty if the text has no valid date. */
function describeMoment(kind: MomentKind, text: string): string {
  const found = moment.exec(text)
  if (!found || kind === 'time') return ''
  const [, day = '', clock = '', seconds = '', , zone = ''] = found
  const date = day === '' ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(date)) return ''
  const weekday = new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(date)
  if (kind === 'date' || clock === '') return weekday
  const zoneWords = zone === '' ? 'no time zone' : zone.toUpperCase() === 'Z' ? 'UTC' : zone
  return `${weekday}, ${clock}${seconds} ${zoneWords}`
}

/** Base64 text, typed or read from a file. A `data-url` field gets the whole URL. */
export function BinaryWidget(props: WidgetProps) {
  const { label, schema, onChange, readonly } = props
  const file = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState('')
  const pick = async (chosen: File | undefined) => {
    if (!chosen) return
    const read = await fileText(chosen, schema.format === 'data-url')
    setNote(read.ok ? `${chosen.name}, ${chosen.size} bytes` : read.message)
    if (read.ok) onChange(read.text)
  }
  return (
    <>
      <span className={styles.joined}>
        <CodeInput
          {...props}
          hint="base64"
          onChange={next => {
            setNote('')
            onChange(next)
          }}
        />
        <Button
          aria-label={`Choose a file for ${label}`}
          disabled={readonly}
          onClick={() => file.current?.click()}
        >
          File…
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          onChange={event => {
            void pick(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </span>
      {note !== '' && (
        <span className="note" role="status">
          {note}
        </span>
      )}
    </>
  )
}
/** A program's argument cannot be longer, and a page with hundreds of megabytes of text crashes. */
const maxBytes = 32 * 1024 * 1024

export type FileReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }

/** Reads a file as base64, or as a whole `data:` URL. The limit is 32 MiB. */
async function fileText(file: File, asUrl: boolean): Promise<FileReading> {
  if (file.size > maxBytes) return { ok: false, message: `${file.name} is larger than 32 MiB.` }
  try {
    const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
    const type = file.type === '' ? 'application/octet-stream' : file.type
    return { ok: true, text: asUrl ? `data:${type};base64,${base64}` : base64 }
  } catch {
    return { ok: false, message: `${file.name} could not be read.` }
  }
}

function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = []
  for (let start = 0; start < bytes.length; start += 0x8000)
    chunks.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)))
  return btoa(chunks.join(''))
}
