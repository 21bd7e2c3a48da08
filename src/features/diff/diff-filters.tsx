import { X } from 'lucide-react'
import { type Ref, useEffect, useMemo, useRef, useState } from 'react'
import type { Change } from '../../../core/diff/change.ts'
import { CommandKeys } from '../../commands/command-keys.tsx'
import { Button } from '../../ui/button.tsx'
import { directionLabels, directions } from './change-kind.ts'
import styles from './diff-filters.module.css'
import { useDiffPlace, useGoDiff } from './diff-place.ts'

interface DiffFiltersProps {
  readonly changes: readonly Change[]
  /** The text field. */
  readonly ref: Ref<HTMLInputElement>
}

/** By direction, by text, and the one tool that is shown alone. */
export function DiffFilters({ changes, ref }: DiffFiltersProps) {
  const { direction, tool, q = '' } = useDiffPlace()
  const go = useGoDiff()
  const present = useMemo(() => new Set(changes.map(change => change.direction)), [changes])
  const choices = directions.filter(each => present.has(each) || each === direction)
  return (
    <div className={styles.filters}>
      <fieldset className={styles.segments}>
        <legend className="visually-hidden">Direction</legend>
        <button
          type="button"
          aria-pressed={direction === undefined}
          onClick={() => go({ direction: undefined }, { replace: true })}
        >
          All
        </button>
        {choices.map(each => (
          <button
            key={each}
            type="button"
            aria-pressed={direction === each}
            onClick={() => go({ direction: each }, { replace: true })}
          >
            {directionLabels[each]}
          </button>
        ))}
      </fieldset>
      <TextFilter ref={ref} value={q} onChange={next => go({ q: next || undefined }, { replace: true })} />
      {tool !== undefined && (
        <Button aria-label={`Only tool ${tool}: show all again`} onClick={() => go({ tool: undefined })}>
          <code className="truncate">{tool}</code> <X size={12} aria-hidden />
        </Button>
      )}
    </div>
  )
}

/** Milliseconds of rest before what is typed becomes the filter. */
const rest = 120

interface TextFilterProps {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly ref: Ref<HTMLInputElement>
}

function TextFilter({ value, onChange, ref }: TextFilterProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The filter changed from outside (back, a link, Clear): the field follows.
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const change = (next: string) => {
    setText(next)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setKnown(next)
      onChange(next)
    }, rest)
  }
  return (
    <div className={styles.field}>
      <input
        ref={ref}
        type="search"
        className={styles.text}
        aria-label="Filter changes"
        placeholder="Filter by tool, path, words"
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        value={text}
        onChange={event => change(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          if (text) change('')
          else event.currentTarget.blur()
        }}
      />
      <CommandKeys id="search" />
    </div>
  )
}
