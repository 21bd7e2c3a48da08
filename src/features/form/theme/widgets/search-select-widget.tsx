import { jsonEquals } from '../../../../../core/json/equality.ts'
import { Combobox } from '../../fields/combobox.tsx'
import { ariaOf, type KindProps } from '../control-props.ts'

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
