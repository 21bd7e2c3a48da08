import type { WidgetProps } from '@rjsf/utils'
import { CalendarDays } from 'lucide-react'
import { useRef } from 'react'
import buttonStyles from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import styles from '../form.module.css'
import { texts } from '../texts.ts'
import { CodeInput } from './text-widgets.tsx'

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
          aria-label={texts.pick(label)}
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

/** Converts ISO dates and times to the values of the browser's pickers, and back without loss. */

type MomentKind = 'date' | 'time' | 'date-time'

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
