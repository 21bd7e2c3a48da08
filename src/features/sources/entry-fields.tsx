import { Plus, X } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '../../ui/button.tsx'
import { TimeLimitField } from '../../ui/time-limit-field.tsx'
import styles from './add-source.module.css'
import { type EntryDraft, type NamedValue, newPair } from './entry-draft.ts'
import { texts } from './texts.ts'

interface EntryFieldsProps {
  readonly draft: EntryDraft
  readonly onChange: (change: Partial<EntryDraft>) => void
  /** The problem with the name. */
  readonly nameProblem: string | undefined
  /** The name that the source gets if none is typed. */
  readonly proposed?: string | undefined
}

/** The settings of a source that a command starts. */
export function ProgramSettings(props: EntryFieldsProps) {
  const { draft, onChange } = props
  return (
    <>
      <div className={styles.two}>
        <NameField {...props} />
        <TextField
          label="Working directory"
          value={draft.directory}
          onChange={directory => onChange({ directory })}
          placeholder="where Toolscope was started"
        />
      </div>
      <KeyValues
        title="Environment"
        noun="variable"
        sampleName="NAME"
        pairs={draft.environment}
        onChange={environment => onChange({ environment })}
      />
      <Limits draft={draft} onChange={onChange} />
    </>
  )
}

/** The settings of a source at an address. */
export function AddressSettings(props: EntryFieldsProps) {
  const { draft, onChange } = props
  return (
    <>
      <NameField {...props} />
      <KeyValues
        title="Headers"
        noun="header"
        sampleName="Header-Name"
        pairs={draft.headers}
        onChange={headers => onChange({ headers })}
      />
      <Limits draft={draft} onChange={onChange} />
    </>
  )
}

export function NameField({ draft, onChange, nameProblem, proposed }: EntryFieldsProps) {
  return (
    <TextField
      label={texts.name}
      value={draft.name}
      onChange={name => onChange({ name })}
      placeholder={proposed}
      problem={nameProblem}
    />
  )
}

function Limits({ draft, onChange }: Pick<EntryFieldsProps, 'draft' | 'onChange'>) {
  return (
    <details open={draft.callLimit !== '' || draft.listLimit !== ''}>
      <summary className="muted">More</summary>
      <div className={styles.two}>
        <TimeLimitField
          label="Time limit of a call"
          value={draft.callLimit}
          onChange={callLimit => onChange({ callLimit })}
          placeholder="60 s"
        />
        <TimeLimitField
          label="Time limit of the list"
          value={draft.listLimit}
          onChange={listLimit => onChange({ listLimit })}
          placeholder="20 s"
        />
      </div>
    </details>
  )
}

interface TextFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string | undefined
  readonly problem?: string | undefined
}

export function TextField({ label, value, onChange, placeholder, problem }: TextFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="text-field"
        value={value}
        onChange={event => onChange(event.target.value)}
        placeholder={placeholder}
        aria-describedby={problem === undefined ? undefined : `${id}-about`}
        aria-invalid={problem === undefined ? undefined : true}
        autoComplete="off"
        spellCheck={false}
        maxLength={10_000}
      />
      {problem !== undefined && (
        <p id={`${id}-about`} className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  )
}

interface KeyValuesProps {
  readonly title: string
  /** The word for one of them: `variable`. */
  readonly noun: string
  /** The placeholder of an empty name. */
  readonly sampleName: string
  readonly pairs: readonly NamedValue[]
  readonly onChange: (pairs: readonly NamedValue[]) => void
}

/** Rows of a name and a value. */
function KeyValues({ title, noun, sampleName, pairs, onChange }: KeyValuesProps) {
  const id = useId()
  const change = (pair: NamedValue) => onChange(pairs.map(each => (each.id === pair.id ? pair : each)))
  return (
    <fieldset className="stack" aria-describedby={`${id}-note`}>
      <legend className={styles.legend}>
        {title}
        <span className="note" id={`${id}-note`}>
          {`stored on this machine; \${env:NAME} reads an environment variable`}
        </span>
      </legend>
      {pairs.map((pair, index) => (
        <div key={pair.id} className={styles.pair}>
          {(['name', 'value'] as const).map(part => (
            <input
              key={part}
              className="text-field"
              aria-label={`${part === 'name' ? 'Name' : 'Value'} of ${noun} ${index + 1}`}
              placeholder={part === 'name' ? sampleName : 'value'}
              value={pair[part]}
              onChange={event => change({ ...pair, [part]: event.target.value })}
              autoComplete="off"
              spellCheck={false}
            />
          ))}
          <IconButton
            icon={X}
            label={`Remove ${noun} ${index + 1}`}
            onClick={() => onChange(pairs.filter(each => each.id !== pair.id))}
          />
        </div>
      ))}
      <div>
        <Button look="quiet" onClick={() => onChange([...pairs, newPair()])}>
          <Plus size={14} aria-hidden /> Add {noun}
        </Button>
      </div>
    </fieldset>
  )
}
