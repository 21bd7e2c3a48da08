import type { WidgetProps } from '@rjsf/utils'
import { useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import styles from '../form.module.css'
import { CodeInput } from './text-widgets.tsx'

/** Base64 text, typed or read from a file. A `data-url` field gets the whole URL. */
export function BinaryWidget(props: WidgetProps) {
  const { label, schema, onChange, readonly } = props
  const file = useRef<HTMLInputElement>(null)
  const [note, setNote] = useState('')
  const pick = async (chosen: File | undefined) => {
    if (!chosen) return
    const read = await fileText(chosen, schema.format === 'data-url')
    setNote(read.ok ? `${chosen.name}, ${chosen.size} bytes` : read.message)
    if (read.ok) onChange(read.text)
  }
  return (
    <>
      <span className={styles.joined}>
        <CodeInput
          {...props}
          hint="base64"
          onChange={next => {
            setNote('')
            onChange(next)
          }}
        />
        <Button
          aria-label={`Choose a file for ${label}`}
          disabled={readonly}
          onClick={() => file.current?.click()}
        >
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
        <span className="note" role="status">
          {note}
        </span>
      )}
    </>
  )
}
/** A program's argument cannot be longer, and a page with hundreds of megabytes of text crashes. */
const maxBytes = 32 * 1024 * 1024

export type FileReading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string }

/** Reads a file as base64, or as a whole `data:` URL. The limit is 32 MiB. */
async function fileText(file: File, asUrl: boolean): Promise<FileReading> {
  if (file.size > maxBytes) return { ok: false, message: `${file.name} is larger than 32 MiB.` }
  try {
    const base64 = toBase64(new Uint8Array(await file.arrayBuffer()))
    const type = file.type === '' ? 'application/octet-stream' : file.type
    return { ok: true, text: asUrl ? `data:${type};base64,${base64}` : base64 }
  } catch {
    return { ok: false, message: `${file.name} could not be read.` }
  }
}

function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = []
  for (let start = 0; start < bytes.length; start += 0x8000)
    chunks.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)))
  return btoa(chunks.join(''))
}
