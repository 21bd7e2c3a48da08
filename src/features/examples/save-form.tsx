import { useId, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './examples.module.css'

interface SaveFormProps {
  /** A name to begin with. */
  readonly suggestion: string
  readonly taken: readonly string[]
  readonly pending: boolean
  readonly onSave: (name: string, note: string) => void
}

/** Asks for a name and a note for the current input. */
export function SaveForm({ suggestion, taken, pending, onSave }: SaveFormProps) {
  const id = useId()
  const [name, setName] = useState('')
  const [note, setNote] = useState('')
  const chosen = name.trim() || suggestion
  return (
    <form
      className={styles.save}
      aria-label="Save the current input"
      onSubmit={event => {
        event.preventDefault()
        onSave(chosen, note.trim())
        setName('')
        setNote('')
      }}
    >
      <label htmlFor={`${id}-name`}>Name</label>
      <input
        id={`${id}-name`}
        className={styles.text}
        value={name}
        maxLength={200}
        placeholder={suggestion}
        autoComplete="off"
        onChange={event => setName(event.target.value)}
      />
      <label htmlFor={`${id}-note`}>Note</label>
      <input
        id={`${id}-note`}
        className={styles.text}
        value={note}
        maxLength={10_000}
        placeholder="optional"
        autoComplete="off"
        onChange={event => setNote(event.target.value)}
      />
      <Button look="primary" type="submit" disabled={pending} className={styles.saveButton}>
        {taken.includes(chosen) ? 'Replace' : 'Save current input'}
      </Button>
    </form>
  )
}
