import { Check } from 'lucide-react'
import { useState } from 'react'
import type { Choice } from '../../../core/help/row-facts.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { join } from '../../ui/join.ts'
import styles from './choices.module.css'
import { texts } from './texts.ts'

interface ChoicesProps {
  /** What the values are for, for people: `role`. */
  readonly of: string
  readonly choices: readonly Choice[]
  /** Fills a value into the form; absent where the form has no field for it. */
  readonly onUse: ((choice: Choice) => void) | undefined
  readonly isUsed: (choice: Choice) => boolean
}

/** More values than these get a filter, and are opened on demand. */
const maxFolded = 12
/** More than anyone reads are not drawn: the filter finds them. */
const maxDrawn = 300

/** Every fixed value of a field: to read, to filter, to copy, and to use in the form with a click. */
export function Choices({ of, choices, onUse, isUsed }: ChoicesProps) {
  const [query, setQuery] = useState('')
  const [open, setOpen] = useState(false)
  const many = choices.length > maxFolded
  const hits = query === '' ? choices : choices.filter(choice => matches(choice, query))
  const shown = hits.slice(0, open || query !== '' ? maxDrawn : maxFolded)
  return (
    <div className={styles.choices}>
      <div className="row wrap">
        <span className={styles.note}>
          {query === '' ? texts.valueCount(choices.length) : texts.valuesFound(hits.length, choices.length)}
        </span>
        {many && (
          <input
            type="search"
            className={styles.filter}
            aria-label={texts.filterValues(of)}
            placeholder={texts.filter}
            value={query}
            onChange={event => setQuery(event.target.value)}
          />
        )}
        <CopyButton
          label={texts.copyValues(of)}
          text={() => choices.map(({ value, text }) => (typeof value === 'string' ? value : text)).join('\n')}
        />
      </div>
      <ul className={join('row wrap', styles.list)}>
        {shown.map((choice, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a hostile list may repeat a value; the chips keep no state
          <li key={`${index} ${choice.text}`}>
            <ChoiceChip of={of} choice={choice} onUse={onUse} used={isUsed(choice)} />
          </li>
        ))}
      </ul>
      {hits.length === 0 && <p className={styles.note}>{texts.noValueContains(query)}</p>}
      {many && query === '' && (
        <button type="button" className={styles.more} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? texts.showFewer : texts.showAllValues(choices.length)}
        </button>
      )}
      {hits.length > shown.length && (open || query !== '') && (
        <p className={styles.note}>{texts.typeToFilter(hits.length - shown.length)}</p>
      )}
    </div>
  )
}

interface ChoiceChipProps {
  readonly of: string
  readonly choice: Choice
  readonly onUse: ChoicesProps['onUse']
  readonly used: boolean
}

function ChoiceChip({ of, choice, onUse, used }: ChoiceChipProps) {
  const about = [choice.label, choice.description].filter(Boolean).join(': ')
  if (onUse === undefined)
    return (
      <span className={styles.chip} title={about || undefined}>
        {choice.text}
      </span>
    )
  return (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={used}
      aria-label={texts.fillInForm(choice.text, of)}
      title={about === '' ? texts.useInTheForm : texts.aboutAndUse(about)}
      onClick={() => onUse(choice)}
    >
      {used && <Check size={12} aria-hidden />}
      {choice.text}
    </button>
  )
}

function matches({ text, label = '', description = '' }: Choice, query: string): boolean {
  return `${text} ${label} ${description}`.toLowerCase().includes(query.toLowerCase())
}
