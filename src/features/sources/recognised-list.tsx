import { useId } from 'react'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { Recognised } from '../../../core/api/sources.ts'
import styles from './add-source.module.css'

export interface RecognisedEntry {
  readonly name: string
  readonly entry: SourceEntry
}

interface RecognisedListProps {
  readonly found: Recognised
  readonly chosen: readonly RecognisedEntry[]
  readonly onChoose: (chosen: readonly RecognisedEntry[]) => void
}

/** The sources that JSON describes, each with a checkbox; alternatives for one server with a radio button. */
export function RecognisedList({ found, chosen, onChoose }: RecognisedListProps) {
  const id = useId()
  const isOne = found.choose === 'one'
  return (
    <fieldset className="stack">
      <legend className="visually-hidden">What to add</legend>
      {found.sources.map(({ name, about, entry, problem }) => {
        const isChosen = chosen.some(each => each.entry === entry)
        const others = chosen.filter(each => each.entry !== entry)
        return (
          <label key={`${name} ${about}`} className={styles.found}>
            <input
              type={isOne ? 'radio' : 'checkbox'}
              name={id}
              checked={isChosen}
              disabled={entry === undefined}
              onChange={() => {
                if (entry === undefined) return
                if (isOne) onChoose([{ name, entry }])
                else onChoose(isChosen ? others : [...others, { name, entry }])
              }}
            />
            <span>
              <code>{name}</code> <span className="muted">{about}</span>
              {problem && <span className={styles.problem}> {problem}</span>}
            </span>
          </label>
        )
      })}
    </fieldset>
  )
}
