import type { ComponentProps } from 'react'
import type { Json } from '../../../../core/json/json.ts'
import { join } from '../../../ui/join.ts'
import styles from '../form.module.css'
import { texts } from '../texts.ts'
import { Combobox } from './combobox.tsx'
import { isSmall } from './node-status.ts'
import { useRoom } from './use-room.ts'

/** A longer list is searched rather than scrolled. */
const maxSelectOptions = 12

interface ChooserOption {
  readonly label: string
  readonly description?: string
  readonly value?: Json
}

interface ChooserProps {
  /** The id and the aria attributes of the control. */
  readonly attributes: Pick<ComponentProps<'select'>, `aria-${string}` & keyof ComponentProps<'select'>> & {
    readonly id: string
  }
  readonly options: readonly ChooserOption[]
  /** Index of the chosen option; -1 where none is. */
  readonly chosen: number
  readonly onChoose: (index: number) => void
  /** Takes the choice back; absent where one option has to stay. */
  readonly onClear?: (() => void) | undefined
  /** The value in place of an option, where it is none of them. */
  readonly notListed?: string | undefined
  /** The entry of a list that stands for no choice; absent where there is none. */
  readonly unset?: string | undefined
  readonly searchHint: string
  readonly disabled?: boolean
}

/** One of several options: side by side where they have room in one row, else a list, or a search of a long list. */
export function Chooser(props: ChooserProps) {
  const { attributes, options, chosen, onChoose, onClear, notListed, unset, searchHint } = props
  const labels = options.map(option => option.label)
  const row = isSmall(labels) ? JSON.stringify([...labels, notListed]) : undefined
  const hasRoom = useRoom(attributes.id, row)
  if (row !== undefined && hasRoom) return <Segments {...props} />
  const other = notListed === undefined ? undefined : texts.notInList(notListed)
  if (labels.length > maxSelectOptions)
    return (
      <Combobox
        inputProps={{ ...attributes, disabled: props.disabled }}
        options={options}
        text={other ?? labels[chosen] ?? ''}
        placeholder={searchHint}
        onPick={onChoose}
        onClear={onClear}
      />
    )
  return (
    <select
      {...attributes}
      disabled={props.disabled}
      className={join(styles.input, chosen < 0 && other === undefined && styles.unset)}
      value={other === undefined ? chosen : 'strange'}
      onChange={({ target: { value } }) => (value === '-1' ? onClear?.() : onChoose(Number(value)))}
    >
      {unset !== undefined && <option value={-1}>{unset}</option>}
      {other !== undefined && <option value="strange">{other}</option>}
      {labels.map((label, index) => (
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
  const shown = notListed === undefined ? options : [...options, { label: texts.notInList(notListed) }]
  return (
    <div className={styles.segments} role="radiogroup" {...attributes}>
      {shown.map(({ label, description, value }: ChooserOption, index) => (
        <label
          key={label}
          className={join(styles.segment, index === options.length && styles.notListed)}
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
