import type { EnumOption } from '../../../../../core/form/form-node.ts'
import { jsonEquals } from '../../../../../core/json/equality.ts'
import { Chooser } from '../../fields/chooser.tsx'
import { ariaOf, type ControlProps } from '../control-props.ts'

const yesNo: readonly EnumOption[] = [
  { value: true, label: 'true' },
  { value: false, label: 'false' },
]

/** One of the schema's fixed values, of whatever JSON type. Nothing chosen means absent. */
export function ChoiceWidget(props: ControlProps) {
  const { node, value, onChange, placeholder, inPlace } = props
  const options = node.kind === 'enum' ? node.options : yesNo
  const chosen = value === undefined ? -1 : options.findIndex(option => jsonEquals(option.value, value))
  return (
    <Chooser
      attributes={ariaOf(props)}
      options={options}
      chosen={chosen}
      onChoose={index => onChange(options[index]?.value)}
      onClear={inPlace ? undefined : () => onChange(undefined)}
      notListed={value !== undefined && chosen < 0 ? JSON.stringify(value).slice(0, 60) : undefined}
      unset={inPlace && value !== undefined ? undefined : placeholder || 'not set'}
      searchHint={placeholder || `search ${options.length} values`}
    />
  )
}
