import { type ClipboardEvent, useId, useState } from 'react'
import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
import { type KindProps, textAttributes } from '../control-props.ts'

/** One line of text; becomes several lines as soon as the text holds a line break. Emptied means absent. */
export function TextWidget(props: KindProps<'string'>) {
  const { node, value, onChange } = props
  const text = typeof value === 'string' ? value : ''
  const [grown, setGrown] = useState(false)
  const listId = useId()
  const several = grown || node.control === 'long' || text.includes('\n')

  if (several)
    return (
      <textarea
        {...textAttributes(props)}
        className={join(styles.input, styles.long)}
        rows={Math.min(12, Math.max(3, text.split('\n').length))}
        spellCheck
      />
    )

  /** A one-line input would drop the line breaks of what is pasted. */
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text')
    if (!/[\r\n]/.test(pasted)) return
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    const start = selectionStart ?? text.length
    setGrown(true)
    onChange(text.slice(0, start) + pasted.replace(/\r\n?/g, '\n') + text.slice(selectionEnd ?? start))
  }
  const suggestions = node.suggestions.length > 0 ? listId : undefined
  return (
    <>
      <input
        {...textAttributes(props)}
        className={styles.input}
        type="text"
        inputMode={node.control === 'email' ? 'email' : node.control === 'uri' ? 'url' : 'text'}
        list={suggestions}
        onPaste={paste}
      />
      {suggestions && (
        <datalist id={listId}>
          {node.suggestions.map(suggestion => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      )}
    </>
  )
}
