import type { EnumOption } from '../../../../../core/form/form-node.ts'
import { jsonEquals } from '../../../../../core/json/equality.ts'
import type { Json } from '../../../../../core/json/json.ts'
import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
import type { ControlProps } from '../control-props.ts'

const yesNo: readonly EnumOption[] = [
  { value: true, label: 'true' },
  { value: false, label: 'false' },
]

/** A few choices side by side: radio buttons that look like one control. Nothing chosen means absent. */
export function SegmentedWidget(props: ControlProps) {
  const { id, labelId, node, value, onChange, describedBy, invalid, required } = props
  const options = node.kind === 'enum' ? node.options : yesNo
  const strange = value !== undefined && !options.some(option => jsonEquals(option.value, value))
  return (
    <div
      className={styles.segments}
      role="radiogroup"
      id={id}
      aria-labelledby={labelId}
      aria-describedby={describedBy}
      aria-invalid={invalid || undefined}
      aria-required={required || undefined}
    >
      {options.map(option => (
        <label key={JSON.stringify(option.value)} className={styles.segment} title={option.description}>
          <input
            type="radio"
            name={id}
            data-value={JSON.stringify(option.value)}
            checked={value !== undefined && jsonEquals(option.value, value)}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
      {strange && <StrangeOption id={id} value={value} />}
    </div>
  )
}

/** The value that stands there although the list does not have it. */
function StrangeOption({ id, value }: { readonly id: string; readonly value: Json }) {
  return (
    <label className={join(styles.segment, styles.notListed)}>
      <input type="radio" name={id} checked readOnly />
      <span>{JSON.stringify(value)?.slice(0, 40)} (not in the list)</span>
    </label>
  )
}
