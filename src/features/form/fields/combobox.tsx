import { Popover as Radix } from 'radix-ui'
import { type InputHTMLAttributes, type KeyboardEvent, useId, useRef, useState } from 'react'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { texts } from '../texts.ts'
import listStyles from './combobox.module.css'

interface ComboboxProps {
  readonly inputProps: InputHTMLAttributes<HTMLInputElement> & { readonly id: string }
  readonly options: readonly { readonly label: string; readonly description?: string }[]
  /** The text in the field while the user does not type. */
  readonly text: string
  readonly placeholder: string
  readonly onPick: (index: number) => void
  /** Called when the field is emptied. */
  readonly onClear?: (() => void) | undefined
}

/** Matches beyond this number are not drawn. */
const maxMatches = 60

/**
 * A text field that filters a list (the ARIA combobox pattern): arrows move, Enter selects, Escape closes. The list is
 * drawn above the page, below or over the field.
 */
export function Combobox({ inputProps, options, text, placeholder, onPick, onClear }: ComboboxProps) {
  const [query, setQuery] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  /** The last typed text that is not an option. */
  const [refused, setRefused] = useState('')
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const open = query !== null
  const hits = open ? search(options, query) : []
  const visible = hits.slice(0, maxMatches)

  const take = (index: number | undefined) => {
    setQuery(null)
    setActive(0)
    setRefused('')
    if (index !== undefined) onPick(index)
  }
  /** Selects an option whose whole label was typed. */
  const onBlur = () => {
    const typed = query?.trim() ?? ''
    if (typed === '') return setQuery(null)
    const index = options.findIndex(({ label }) => label.toLowerCase() === typed.toLowerCase())
    take(index < 0 ? undefined : index)
    if (index < 0) setRefused(typed)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!open) setQuery('')
      else setActive(Math.max(0, Math.min(visible.length - 1, active + (event.key === 'ArrowDown' ? 1 : -1))))
    } else if (event.key === 'Enter' && open) {
      event.preventDefault()
      take(visible[active])
    } else if (event.key === 'Escape' && open) {
      event.stopPropagation()
      setQuery(null)
    }
  }
  return (
    <div className={styles.combo}>
      <input
        {...inputProps}
        ref={field}
        className={styles.input}
        role="combobox"
        aria-expanded={open}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={open && visible.length > 0 ? `${listId}-${active}` : undefined}
        value={query ?? text}
        placeholder={placeholder}
        onChange={event => {
          setActive(0)
          setRefused('')
          setQuery(event.target.value)
          if (event.target.value === '') onClear?.()
        }}
        onClick={() => !open && setQuery('')}
        onBlur={onBlur}
        onKeyDown={onKeyDown}
      />
      {refused !== '' && (
        <p className="note" role="status">
          “{refused}” is not one of the options.
        </p>
      )}
      {open && (
        <Radix.Root open>
          <Radix.Anchor virtualRef={field} />
          <Radix.Portal>
            <Radix.Content
              role="listbox"
              id={listId}
              aria-label="Matches"
              className={listStyles.options}
              align="start"
              sideOffset={4}
              collisionPadding={8}
              hideWhenDetached
              onOpenAutoFocus={event => event.preventDefault()}
              onCloseAutoFocus={event => event.preventDefault()}
              // Keeps the focus in the field, even if the user scrolls the list by its scrollbar.
              onMouseDown={event => event.preventDefault()}
            >
              {visible.map((index, position) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
                // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field (aria-activedescendant)
                <div
                  key={index}
                  ref={position === active && position > 0 ? scrollIntoSight : undefined}
                  id={`${listId}-${position}`}
                  role="option"
                  aria-selected={position === active}
                  className={listStyles.option}
                  onClick={() => take(index)}
                >
                  {options[index]?.label}
                  {options[index]?.description && (
                    <span className="faint"> {options[index].description}</span>
                  )}
                </div>
              ))}
              {hits.length === 0 && (
                <div className={join(listStyles.option, 'faint')}>{texts.nothingMatches}</div>
              )}
              {hits.length > maxMatches && (
                <div className={join(listStyles.option, 'faint')}>
                  {hits.length - maxMatches} more: type to filter
                </div>
              )}
            </Radix.Content>
          </Radix.Portal>
        </Radix.Root>
      )}
    </div>
  )
}

const scrollIntoSight = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

/** Returns the indexes of the options that contain every typed word; those that start with the text come first. */
function search(options: ComboboxProps['options'], query: string): number[] {
  const wanted = query.toLowerCase().trim()
  const words = wanted.split(/\s+/)
  const labels = options.map(option => option.label.toLowerCase())
  const hits = labels.flatMap((label, index) => (words.every(word => label.includes(word)) ? [index] : []))
  const rank = (index: number) => (labels[index]?.startsWith(wanted) ? 0 : 1)
  return hits.sort((left, right) => rank(left) - rank(right))
}
