import { Popover as Radix } from 'radix-ui'
import {
  type ComponentProps,
  type InputHTMLAttributes,
  type KeyboardEvent,
  useId,
  useRef,
  useState,
} from 'react'
import type { Json } from '../../../../core/json/json.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { texts } from '../texts.ts'
import chooserStyles from './chooser.module.css'
import { isSmall } from './node-status.ts'
import { useChoiceRow } from './use-choice-row.ts'

const notInList = (notListed: string) => `${notListed} (not in the list)`

/** A longer list has a search field. */
const maxSelectOptions = 12

interface ChooserOption {
  readonly label: string
  readonly description?: string
  readonly value?: Json
}

interface ChooserProps {
  /** The control's id and aria attributes. */
  readonly attributes: Pick<ComponentProps<'select'>, `aria-${string}` & keyof ComponentProps<'select'>> & {
    readonly id: string
  }
  readonly options: readonly ChooserOption[]
  /** Index of the chosen option; -1 for none. */
  readonly chosen: number
  readonly onChoose: (index: number) => void
  /** Removes the choice; absent if one option must stay. */
  readonly onClear?: (() => void) | undefined
  /** The value as text, if it is not one of the options. */
  readonly notListed?: string | undefined
  /** The label of the entry for no choice; absent without such an entry. */
  readonly unset?: string | undefined
  readonly searchHint: string
  readonly disabled?: boolean
}

/** One of several options: a row of buttons if they fit, otherwise a list; a long list has a search field. */
export function Chooser(props: ChooserProps) {
  const labels = props.options.map(({ label }) => label)
  const { notListed } = props
  const column = useRef<HTMLDivElement>(null)
  const allLabels = notListed === undefined ? labels : [...labels, notInList(notListed)]
  const isRow = useChoiceRow(column, isSmall(labels) ? allLabels : undefined)
  const Control = isRow ? Segments : labels.length > maxSelectOptions ? SearchedList : Select
  return (
    <div ref={column} className={chooserStyles.choice}>
      <Control {...props} />
    </div>
  )
}

function SearchedList(props: ChooserProps) {
  const { attributes, options, chosen, onChoose, onClear, notListed, searchHint, disabled } = props
  return (
    <Combobox
      inputProps={{ ...attributes, disabled }}
      options={options}
      text={notListed === undefined ? (options[chosen]?.label ?? '') : notInList(notListed)}
      placeholder={searchHint}
      onPick={onChoose}
      onClear={onClear}
    />
  )
}

function Select(props: ChooserProps) {
  const { attributes, options, chosen, onChoose, onClear, notListed, unset, disabled } = props
  return (
    <select
      {...attributes}
      disabled={disabled}
      className={join(styles.input, chosen < 0 && notListed === undefined && styles.unset)}
      value={notListed === undefined ? chosen : 'strange'}
      onChange={({ target: { value } }) => (value === '-1' ? onClear?.() : onChoose(Number(value)))}
    >
      {unset !== undefined && <option value={-1}>{unset}</option>}
      {notListed !== undefined && <option value="strange">{notInList(notListed)}</option>}
      {options.map(({ label }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the options never change places
        <option key={index} value={index}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** Radio buttons that look like one control. */
function Segments({ attributes, options, chosen, onChoose, notListed, disabled }: ChooserProps) {
  const allOptions = notListed === undefined ? options : [...options, { label: notInList(notListed) }]
  return (
    <div className={chooserStyles.segments} role="radiogroup" {...attributes}>
      {allOptions.map(({ label, description, value }: ChooserOption, index) => (
        <label
          key={label}
          className={join(chooserStyles.segment, index === options.length && chooserStyles.notListed)}
          title={description}
        >
          <input
            type="radio"
            disabled={disabled}
            name={attributes.id}
            data-value={JSON.stringify(value)}
            checked={index === chosen || index === options.length}
            onChange={() => onChoose(index)}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  )
}

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
function Combobox({ inputProps, options, text, placeholder, onPick, onClear }: ComboboxProps) {
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
              className={chooserStyles.options}
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
                  className={chooserStyles.option}
                  onClick={() => take(index)}
                >
                  {options[index]?.label}
                  {options[index]?.description && (
                    <span className="faint"> {options[index].description}</span>
                  )}
                </div>
              ))}
              {hits.length === 0 && (
                <div className={join(chooserStyles.option, 'faint')}>{texts.nothingMatches}</div>
              )}
              {hits.length > maxMatches && (
                <div className={join(chooserStyles.option, 'faint')}>
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
