import { useId, useState } from 'react'
import type { ClientInput } from '../../../core/api/clients.ts'
import { Button } from '../../ui/button.tsx'
import inputStyles from '../../ui/input.module.css'
import { join } from '../../ui/join.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './from-client.module.css'
import { texts } from './texts.ts'

interface InputFieldsProps {
  /** Of the server. */
  readonly name: string
  readonly inputs: readonly ClientInput[]
  readonly isPending: boolean
  readonly onOpen: (values: Readonly<Record<string, string>>) => void
  readonly onCancel: () => void
}

/** What a server's file asks for before the server starts. It may lie inside a form, so it is none of its own. */
export function InputFields({ name, inputs, isPending, onOpen, onCancel }: InputFieldsProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(inputs.map(input => [input.id, input.default ?? input.options?.[0]?.value ?? ''])),
  )
  const isComplete = inputs.every(({ id }) => values[id] !== '')
  const open = () => {
    if (isComplete && !isPending) onOpen(values)
  }
  return (
    <fieldset
      className={join('stack', styles.below)}
      onKeyDown={event => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
        // Not the form around it.
        event.preventDefault()
        open()
      }}
    >
      <legend className={styles.legend}>{name} asks for</legend>
      {inputs.map((input, index) => (
        <InputField
          key={input.id}
          input={input}
          isFirst={index === 0}
          value={values[input.id] ?? ''}
          onChange={value => setValues(before => ({ ...before, [input.id]: value }))}
        />
      ))}
      <p className="note">Kept in memory until Toolscope ends, never saved.</p>
      <div className="row">
        <Button look="primary" onClick={open} disabled={!isComplete || isPending}>
          {isPending ? texts.opening : texts.open}
        </Button>
        <Button onClick={onCancel}>{commonTexts.cancel}</Button>
      </div>
    </fieldset>
  )
}

interface InputFieldProps {
  readonly input: ClientInput
  readonly isFirst: boolean
  readonly value: string
  readonly onChange: (value: string) => void
}

function InputField({ input: { label, isSecret, options }, isFirst, value, onChange }: InputFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {options === undefined ? (
        <input
          id={id}
          className={inputStyles.input}
          // The user has just asked for it.
          // biome-ignore lint/a11y/noAutofocus: focus follows the action
          autoFocus={isFirst}
          type={isSecret ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      ) : (
        <select
          id={id}
          className={inputStyles.input}
          value={value}
          onChange={event => onChange(event.target.value)}
        >
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
