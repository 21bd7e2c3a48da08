import { Search, X } from 'lucide-react'
import type { ReactNode, Ref } from 'react'
import { runKey } from '../../ui/run-key.ts'
import { ShortcutKeys } from '../../ui/shortcuts/kbd.tsx'
import { useDebouncedText } from '../../ui/use-debounced-text.ts'
import styles from './catalog.module.css'

/** Pause after the last key before the text becomes the query. */
const debounceMs = 100

interface SearchFieldProps {
  /** The current query (from the URL). */
  readonly value: string
  readonly onChange: (text: string) => void
  /** Shown at the end of the field. */
  readonly count: ReactNode
  readonly onDown: () => void
  readonly onEnter: () => void
  readonly ref: Ref<HTMLInputElement>
}

/** The catalog's search field. The query follows the text after a pause. */
export function SearchField({ value, onChange, count, onDown, onEnter, ref }: SearchFieldProps) {
  const [text, change] = useDebouncedText(value, onChange, debounceMs)
  return (
    <div className={styles.field}>
      <Search size={14} aria-hidden />
      <input
        ref={ref}
        className={styles.input}
        type="search"
        data-testid="catalog-search"
        aria-label="Search tools"
        placeholder="Search tools"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={text}
        onChange={event => change(event.target.value)}
        onKeyDown={event => {
          const actions = new Map<string, () => void>([
            ['ArrowDown', onDown],
            ['Enter', onEnter],
            ['Escape', () => (text ? change('') : event.currentTarget.blur())],
          ])
          runKey(event, actions)
        }}
      />
      {count}
      {text === '' ? (
        <ShortcutKeys id="search" />
      ) : (
        <button type="button" className={styles.clear} aria-label="Clear search" onClick={() => change('')}>
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  )
}
