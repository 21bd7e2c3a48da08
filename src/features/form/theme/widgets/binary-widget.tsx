import { useRef, useState } from 'react'
import { Button } from '../../../../ui/button.tsx'
import { join } from '../../../../ui/join.ts'
import styles from '../../form.module.css'
import { ariaOf, type KindProps } from '../control-props.ts'
import { fileText } from '../file-text.ts'

/** Base64 text, from a file or typed. A `data-url` field gets the whole URL. */
export function BinaryWidget(props: KindProps<'string'>) {
  const { label, node, value, onChange, placeholder } = props
  const file = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState('')
  const text = typeof value === 'string' ? value : ''
  const pick = async (chosen: File | undefined) => {
    if (!chosen) return
    const read = await fileText(chosen, node.schema.format === 'data-url')
    setNote(read.ok ? `${chosen.name}, ${chosen.size} bytes` : read.message)
    if (read.ok) onChange(read.text)
  }
  return (
    <>
      <span className={styles.joined}>
        <input
          {...ariaOf(props)}
          className={join(styles.input, styles.mono)}
          type="text"
          autoComplete="off"
          spellCheck={false}
          value={text}
          placeholder={placeholder === '' ? 'base64' : placeholder}
          onChange={event => {
            setNote('')
            onChange(event.target.value === '' ? undefined : event.target.value)
          }}
        />
        <Button aria-label={`Choose a file for ${label}`} onClick={() => file.current?.click()}>
          File…
        </Button>
        <input
          ref={file}
          type="file"
          hidden
          onChange={event => {
            void pick(event.target.files?.[0])
            event.target.value = ''
          }}
        />
      </span>
      {note !== '' && (
        <span className={styles.hint} role="status">
          {note}
        </span>
      )}
    </>
  )
}
