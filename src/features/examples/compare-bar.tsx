import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import type { RequestTo } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './compare-page.module.css'
import { useCompareSearch } from './compare-search.ts'
import { texts } from './texts.ts'

/** The number of newest different calls to repeat, if calls are included. */
const repeatedCalls = 20

interface CompareBarProps {
  /** The sources that can be called. */
  readonly sources: readonly SourceState[]
  readonly running: boolean
  readonly onStart: (request: RequestTo<'POST /api/compare'>['body']) => void
  readonly onCancel: () => void
}

/** The sources to compare, and the inputs to send. */
export function CompareBar({ sources, running, onStart, onCancel }: CompareBarProps) {
  const [{ a = sources[0]?.name ?? '', b = '' }, go] = useCompareSearch()
  const [withCalls, setWithCalls] = useState(false)
  const [allowWrites, setAllowWrites] = useState(false)
  const refused = useRefusal('POST /api/compare')
  const side = (key: 'a' | 'b', label: string, value: string) => (
    <label className={join('row', styles.side)}>
      <span className="note">{label}</span>
      <select
        className={styles.select}
        value={value}
        onChange={event => go({ a, [key]: event.target.value || undefined }, { replace: true })}
      >
        {!sources.some(({ name }) => name === value) && (
          <option value={value}>{value === '' ? 'Choose a source' : `${value} (cannot be called)`}</option>
        )}
        {sources.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
  const check = (label: string, checked: boolean, set: (checked: boolean) => void) => (
    <label className="row muted">
      <input type="checkbox" checked={checked} onChange={event => set(event.target.checked)} />
      {label}
    </label>
  )
  return (
    <form
      className={join('row wrap', styles.bar)}
      aria-label="Sources to compare"
      onSubmit={event => {
        event.preventDefault()
        onStart({ a, b, allowWrites, history: withCalls ? repeatedCalls : 0 })
      }}
    >
      {side('a', 'First', a)}
      <ArrowRight size={14} aria-hidden className={styles.arrow} />
      {side('b', 'Second', b)}
      {running ? (
        <Button onClick={onCancel}>{commonTexts.cancel}</Button>
      ) : (
        <Button type="submit" look="primary" disabled={a === '' || b === ''} refused={refused}>
          Compare
        </Button>
      )}
      {check(`Repeat the newest ${repeatedCalls} calls too`, withCalls, setWithCalls)}
      {check(texts.destructiveToolsToo, allowWrites, setAllowWrites)}
    </form>
  )
}
