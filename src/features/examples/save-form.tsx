import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import inputStyles from '../../ui/input.module.css'
import styles from './examples.module.css'

interface SaveFormProps {
  /** A name to begin with. */
  readonly suggestion: string
  readonly taken: readonly string[]
  readonly pending: boolean
  /** The name is to get the focus; then `onNaming` is called. */
  readonly isNaming: boolean
  readonly onNaming: () => void
  readonly onSave: (name: string, note: string) => void
}

/** Asks for a name and a note for the current input. */
export function SaveForm({ suggestion, taken, pending, isNaming, onNaming, onSave }: SaveFormProps) {
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const form = useRef<HTMLFormElement>(null)
  const focusName = useEffectEvent(() => {
    form.current?.querySelector('input')?.focus()
    onNaming()
  })
  useEffect(() => {
    if (isNaming) focusName()
  }, [isNaming])
  const chosen = name.trim() || suggestion
  return (
    <form
      ref={form}
      className={styles.save}
      aria-label="Save the current input"
      onSubmit={event => {
        event.preventDefault()
        onSave(chosen, note.trim())
        setName('')
        setNote('')
      }}
    >
      <Field label="Name" value={name} onChange={setName} placeholder={suggestion} maxLength={200} />
      <Field label="Note" value={note} onChange={setNote} placeholder="optional" maxLength={10_000} />
      <Button
        look="primary"
        type="submit"
        disabled={pending}
        refused={useRefusal('PUT /api/examples')}
        className={styles.saveButton}
      >
        {taken.includes(chosen) ? 'Replace' : 'Save current input'}
      </Button>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (text: string) => void
  readonly placeholder: string
  readonly maxLength: number
}

function Field({ label, onChange, ...rest }: FieldProps) {
  const id = useId()
  return (
    <>
      <label htmlFor={id} className="note">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={inputStyles.input}
        autoComplete="off"
        onChange={event => onChange(event.target.value)}
      />
    </>
  )
}
