import { type ComponentProps, useRef } from 'react'
import type { Json } from '../../../../core/json/json.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { texts } from '../texts.ts'
import chooserStyles from './chooser.module.css'
import { Combobox } from './combobox.tsx'
import { isSmall } from './node-status.ts'
import { useChoiceRow } from './use-choice-row.ts'

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
  const allLabels = notListed === undefined ? labels : [...labels, texts.notInList(notListed)]
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
      text={notListed === undefined ? (options[chosen]?.label ?? '') : texts.notInList(notListed)}
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
      {notListed !== undefined && <option value="strange">{texts.notInList(notListed)}</option>}
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
  const allOptions = notListed === undefined ? options : [...options, { label: texts.notInList(notListed) }]
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
