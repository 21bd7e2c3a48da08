import { ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { FormProperty } from '../../../../core/form/form-node.ts'
import { isObject } from '../../../../core/json/json.ts'
import { takeFirstLine } from '../../../../core/text/plain-text.ts'
import { counted } from '../../../../core/text/wording.ts'
import { join } from '../../../ui/join.ts'
import { runKey } from '../../../ui/shortcut-handlers.ts'
import { useVirtualRows, VirtualRows } from '../../../ui/virtual-rows.tsx'
import styles from '../form.module.css'
import { useFormScope } from '../form-scope.ts'
import { texts } from '../texts.ts'
import { QuietButton } from './buttons.tsx'
import { presetText } from './node-status.ts'
import listStyles from './optional-fields.module.css'

interface OptionalFieldsProps {
  /** Not empty. */
  readonly hidden: readonly FormProperty[]
  /** The object's name. */
  readonly label: string
  /** Adds the field. The focus moves there, except with Shift (form-focus.ts). */
  readonly onAdd: (property: FormProperty) => void
}

/** Names in the closed line, which shows as many as fit. */
const maxNames = 20

/** The optional fields that are not drawn: one line with their names, which opens a list of them. */
export function OptionalFields(props: OptionalFieldsProps) {
  const { hidden } = props
  const [open, setOpen] = useState(false)
  const toggle = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    toggle.current?.focus()
  }
  return (
    <div className={join('stack', listStyles.optional)} data-more-fields>
      <QuietButton ref={toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
        <span className={listStyles.optionalCount}>{counted(hidden.length, 'more optional field')}</span>
        {!open && (
          <span className="faint mono truncate">
            {hidden
              .slice(0, maxNames)
              .map(property => property.name)
              .join(', ')}
          </span>
        )}
      </QuietButton>
      {open && <OptionalList {...props} onClose={close} />}
    </div>
  )
}

/** In pixels; optional-fields.module.css has the same value. */
const rowHeight = 28

/**
 * A filter over a list that stays open (the ARIA combobox pattern): arrows move, Enter adds and focuses the field,
 * Shift+Enter adds and stays, Escape clears the filter, then closes. Only the visible rows are drawn.
 */
function OptionalList({ hidden, label, onAdd, onClose }: OptionalFieldsProps & { onClose: () => void }) {
  const [filter, setFilter] = useState('')
  const [active, setActive] = useState(0)
  const listId = useId()
  const { planner } = useFormScope()
  const hits = search(hidden, filter)
  const current = Math.min(active, hits.length - 1)
  const { scroller, virtualizer } = useVirtualRows(hits.length, rowHeight)
  const formatPreset = (property: FormProperty | undefined) =>
    property && presetText(planner.plan(property.schema), planner)
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(hits.length - 1, index))
    setActive(next)
    virtualizer.scrollToIndex(next)
  }
  const narrow = (text: string) => {
    setFilter(text)
    moveTo(0)
  }
  const add = (index: number) => {
    const property = hits[index]
    if (property) onAdd(property)
    // The filter would match nothing that is left.
    if (hits.length === 1) narrow('')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
    const actions = new Map([
      ['ArrowDown', () => moveTo(current + 1)],
      ['ArrowUp', () => moveTo(current - 1)],
      ['PageDown', () => moveTo(current + page)],
      ['PageUp', () => moveTo(current - page)],
      ['Enter', () => add(current)],
      ['Escape', () => (filter === '' ? onClose() : narrow(''))],
    ])
    if (event.key === 'Escape') event.stopPropagation()
    runKey(event, actions)
  }
  return (
    <>
      <input
        className={styles.input}
        role="combobox"
        aria-label={`Filter the optional fields of ${label}`}
        aria-expanded
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={current < 0 ? undefined : `${listId}-${current}`}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened the list
        autoFocus
        value={filter}
        placeholder="filter · Enter adds · Shift+Enter adds and stays"
        onChange={event => narrow(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div
        ref={scroller}
        className={listStyles.optionalList}
        role="listbox"
        id={listId}
        aria-label={`Optional fields of ${label}`}
        // Keeps the focus in the filter, even if the user scrolls the list by its scrollbar.
        onPointerDown={event => event.preventDefault()}
      >
        <VirtualRows virtualizer={virtualizer}>
          {({ index, start }) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the filter handles the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the filter (aria-activedescendant)
            <div
              key={hits[index]?.name}
              id={`${listId}-${index}`}
              role="option"
              aria-selected={index === current}
              aria-setsize={hits.length}
              aria-posinset={index + 1}
              className={join('row', listStyles.optionalRow)}
              style={{ top: start }}
              data-add={hits[index]?.name}
              onClick={() => add(index)}
            >
              <span className="mono truncate">{hits[index]?.name}</span>
              <span className="faint truncate grow">{takeFirstLine(readDescription(hits[index]))}</span>
              <span className={join('faint small truncate', listStyles.preset)}>
                {formatPreset(hits[index])}
              </span>
            </div>
          )}
        </VirtualRows>
        {hits.length === 0 && (
          <div className={join('faint', listStyles.optionalNone)}>{texts.nothingMatches}</div>
        )}
      </div>
    </>
  )
}

function readDescription(property: FormProperty | undefined): string {
  const { description } = isObject(property?.schema) ? property.schema : {}
  return typeof description === 'string' ? description : ''
}

/** Returns the properties whose name or description contains every word, with the best matches of the name first. */
function search(properties: readonly FormProperty[], filter: string): readonly FormProperty[] {
  const wanted = filter.toLowerCase().trim()
  if (wanted === '') return properties
  const words = wanted.split(/\s+/)
  const ranked = properties.flatMap(property => {
    const name = property.name.toLowerCase()
    const byName = words.every(word => name.includes(word))
    if (byName) return [{ property, rank: name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2 }]
    const text = `${name} ${readDescription(property).toLowerCase()}`
    return words.every(word => text.includes(word)) ? [{ property, rank: 3 }] : []
  })
  return ranked.sort((left, right) => left.rank - right.rank).map(({ property }) => property)
}
