import type { WidgetProps } from '@rjsf/utils'
import { CalendarDays } from 'lucide-react'
import { useRef } from 'react'
import buttonStyles from '../../../ui/button.module.css'
import { Button } from '../../../ui/button.tsx'
import styles from '../form.module.css'
import { texts } from '../texts.ts'
import { describeMoment, momentKind, momentPattern, toPicker, withPicked } from './moment-text.ts'
import { CodeInput } from './text-widgets.tsx'

const pickerTypes = { date: 'date', time: 'time', 'date-time': 'datetime-local' } as const

/**
 * Date, time or both as ISO text: seconds, fractions and the zone stay as they were written. The calendar button
 * opens the browser's own picker, which changes the day and the clock and leaves the zone alone.
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

/** Refused by the browser outside of a click, or where there is no picker: typing remains. */
function openPicker(input: HTMLInputElement | null): void {
  try {
    input?.showPicker()
  } catch {
    input?.focus()
  }
}
