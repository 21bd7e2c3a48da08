import { isJsonNumber, numberText } from '../../../../../core/json/json.ts'
import { readNumber } from '../../../../../core/json/json-text.ts'
import styles from '../../form.module.css'
import { type KindProps, textAttributes } from '../control-props.ts'

/**
 * A number by its digits, so that `9007199254740993` and `1.50` stay what they are; nothing is rounded or clamped.
 * What is no number yet (`-`, `1e`) is kept as the text it is, and the validator says so.
 */
export function NumberWidget(props: KindProps<'number'>) {
  const { node, value, onChange } = props
  const change = (text: string) => {
    const trimmed = text.trim()
    const plain = trimmed.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')
    onChange(trimmed === '' ? undefined : (readNumber(plain) ?? trimmed))
  }
  return (
    <input
      {...textAttributes(props)}
      className={styles.input}
      type="text"
      inputMode={node.integer ? 'numeric' : 'decimal'}
      value={isJsonNumber(value) ? numberText(value) : typeof value === 'string' ? value : ''}
      onChange={event => change(event.target.value)}
    />
  )
}
