import { jsonEquals } from '../../../../../core/json/equality.ts'
import type { Json } from '../../../../../core/json/json.ts'
import { join } from '../../../../ui/join.ts'
import { Combobox } from '../../fields/combobox.tsx'
import styles from '../../form.module.css'
import { ariaOf, type KindProps } from '../control-props.ts'

/** A list to choose one value from, of whatever JSON type. The first entry leaves the field out. */
export function SelectWidget(props: KindProps<'enum'>) {
  const { node, value, onChange, placeholder, inPlace } = props
  const chosen = indexOfValue(node.options, value)
  const strange = value !== undefined && chosen < 0
  return (
    <select
      {...ariaOf(props)}
      className={value === undefined ? join(styles.input, styles.unset) : styles.input}
      value={strange ? 'strange' : chosen < 0 ? '' : String(chosen)}
      onChange={event => {
        const option = node.options[Number(event.target.value)]
        onChange(event.target.value === '' ? undefined : option?.value)
      }}
    >
      {!(inPlace && value !== undefined) && (
        <option value="">{placeholder === '' ? 'not set' : placeholder}</option>
      )}
      {strange && <option value="strange">{JSON.stringify(value)?.slice(0, 60)} (not in the list)</option>}
      {node.options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the options never change places
        <option key={index} value={index}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

function indexOfValue(options: readonly { readonly value: Json }[], value: Json | undefined): number {
  return value === undefined ? -1 : options.findIndex(option => jsonEquals(option.value, value))
}

/** A long list to choose from, narrowed by typing. */
export function SearchSelectWidget(props: KindProps<'enum'>) {
  const { node, value, onChange, placeholder, inPlace } = props
  const chosen = node.options.find(option => value !== undefined && jsonEquals(option.value, value))
  const strange = value !== undefined && !chosen
  return (
    <Combobox
      inputProps={ariaOf(props)}
      options={node.options}
      text={strange ? `${JSON.stringify(value)?.slice(0, 60)} (not in the list)` : (chosen?.label ?? '')}
      placeholder={placeholder === '' ? `search ${node.options.length} values` : placeholder}
      onPick={index => onChange(node.options[index]?.value)}
      {...(!inPlace && { onClear: () => onChange(undefined) })}
    />
  )
}
