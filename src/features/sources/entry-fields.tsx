import { type ReactNode, useId } from 'react'
import inputStyles from '../../ui/input.module.css'
import styles from './add-source.module.css'
import type { EntryDraft } from './entry-draft.ts'
import { KeyValues } from './key-values.tsx'
import { texts } from './texts.ts'

interface EntryFieldsProps {
  readonly draft: EntryDraft
  readonly onChange: (change: Partial<EntryDraft>) => void
  /** What is wrong with the name. */
  readonly nameProblem: string | undefined
}

/** The fields of a source that a command starts. */
export function CommandFields({ draft, onChange, nameProblem }: EntryFieldsProps) {
  return (
    <>
      <TextField
        label={texts.command}
        value={draft.line}
        onChange={line => onChange({ line })}
        placeholder={texts.commandPlaceholder}
        note={texts.commandNote}
      />
      <div className={styles.two}>
        <NameField draft={draft} onChange={onChange} problem={nameProblem} />
        <TextField
          label={texts.workingDirectory}
          value={draft.directory}
          onChange={directory => onChange({ directory })}
          placeholder={texts.workingDirectoryPlaceholder}
        />
      </div>
      <KeyValues
        title={texts.environment}
        noun={texts.variable}
        sampleName={texts.sampleVariable}
        pairs={draft.environment}
        onChange={environment => onChange({ environment })}
      />
      <Limits draft={draft} onChange={onChange} />
    </>
  )
}

/** The fields of a source at an address. */
export function AddressFields({ draft, onChange, nameProblem }: EntryFieldsProps) {
  return (
    <>
      <TextField
        label={texts.address}
        value={draft.url}
        onChange={url => onChange({ url })}
        placeholder={texts.addressPlaceholder}
        note={texts.addressNote}
      />
      <NameField draft={draft} onChange={onChange} problem={nameProblem} />
      <KeyValues
        title={texts.headers}
        noun={texts.header}
        sampleName={texts.sampleHeader}
        pairs={draft.headers}
        onChange={headers => onChange({ headers })}
      />
      <Limits draft={draft} onChange={onChange} />
    </>
  )
}

export function NameField({
  draft,
  onChange,
  problem,
}: Pick<EntryFieldsProps, 'draft' | 'onChange'> & { readonly problem: string | undefined }) {
  return (
    <TextField
      label={texts.name}
      value={draft.name}
      onChange={name => onChange({ name })}
      placeholder={texts.namePlaceholder}
      problem={problem}
    />
  )
}

function Limits({ draft, onChange }: Pick<EntryFieldsProps, 'draft' | 'onChange'>) {
  return (
    <details open={draft.callLimit !== '' || draft.listLimit !== ''}>
      <summary className="muted">{texts.moreFields}</summary>
      <div className={styles.two}>
        <TextField
          label={texts.callTimeLimit}
          value={draft.callLimit}
          onChange={callLimit => onChange({ callLimit })}
          placeholder="60"
          type="number"
        />
        <TextField
          label={texts.listTimeLimit}
          value={draft.listLimit}
          onChange={listLimit => onChange({ listLimit })}
          placeholder="20"
          type="number"
        />
      </div>
    </details>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder: string
  readonly note?: ReactNode
  readonly problem?: string | undefined
  readonly type?: 'text' | 'number'
}

function TextField({ label, value, onChange, placeholder, note, problem, type = 'text' }: TextFieldProps) {
  const id = useId()
  const about = problem ?? note
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type={type}
        {...(type === 'number' ? { min: 0.1, max: 3600, step: 'any' } : {})}
        className={inputStyles.input}
        value={value}
        onChange={event => onChange(event.target.value)}
        placeholder={placeholder}
        aria-describedby={about === undefined ? undefined : `${id}-about`}
        aria-invalid={problem === undefined ? undefined : true}
        autoComplete="off"
        spellCheck={false}
        maxLength={10_000}
      />
      {about !== undefined && (
        <p id={`${id}-about`} className={problem === undefined ? 'note' : styles.problem}>
          {about}
        </p>
      )}
    </div>
  )
}
