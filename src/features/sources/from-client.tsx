import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { ClientFileState, ClientInput, ClientServer } from '../../../core/api/clients.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { toAppError } from '../../../core/errors.ts'
import { groupBy } from '../../../core/lists.ts'
import { useBackend } from '../../api/backend.ts'
import { clientsQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange, useSources } from '../../api/use-sources.ts'
import { Badge, Loading } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './from-client.module.css'
import { healthTone, statusWord } from './source-status.ts'
import { texts } from './texts.ts'

type OnOpened = (source: SourceState) => void

/** The MCP servers in the configuration of other clients, which run only after a click opens them. */
export function FromClient({ onOpened }: { readonly onOpened: OnOpened }) {
  const { data, error } = useQuery(clientsQuery(useBackend()))
  if (error) return <ErrorNote error={error} />
  if (data === undefined) return <Loading>Reading the files of other clients…</Loading>
  if (data.files.length === 0)
    return (
      <EmptyState title="No MCP servers found in other clients">
        <details>
          <summary>Files searched</summary>
          <ul className={styles.looked}>
            {data.looked.map(path => (
              <li key={path}>{path}</li>
            ))}
          </ul>
        </details>
      </EmptyState>
    )
  return (
    <div className="stack">
      <p className="note">These files are read and never written. Nothing runs before you open it.</p>
      {data.files.map(file => (
        <FileServers key={file.path} file={file} onOpened={onOpened} />
      ))}
    </div>
  )
}

/** Returns how many servers can be chosen; undefined until the answer arrives. */
export function useClientServerCount(): number | undefined {
  const { data } = useQuery(clientsQuery(useBackend()))
  return data?.files.reduce((sum, { servers }) => sum + servers.length, 0)
}

function FileServers({ file, onOpened }: { readonly file: ClientFileState; readonly onOpened: OnOpened }) {
  const { client, path, problem, servers } = file
  const id = useId()
  return (
    <section aria-labelledby={id} className={styles.file}>
      <h3 id={id} className={styles.heading}>
        {client} <span className={styles.path}>{path}</span>
      </h3>
      {problem !== undefined && (
        <p className={styles.problem}>
          <Badge tone="bad">not read</Badge> {problem}
        </p>
      )}
      {[...groupBy(servers, ({ project = '' }) => project)].map(([project, of]) => (
        <div key={project}>
          {project !== '' && <p className={styles.project}>for {project}</p>}
          <ul className={styles.servers}>
            {of.map(server => (
              <ServerRow key={server.id} file={path} server={server} onOpened={onOpened} />
            ))}
          </ul>
        </div>
      ))}
    </section>
  )
}

interface ServerRowProps {
  readonly file: string
  readonly server: ClientServer
  readonly onOpened: OnOpened
}

function ServerRow({ file, server, onOpened }: ServerRowProps) {
  const { id, name, about, isDisabled, problem, inputs } = server
  const [isAsking, setAsking] = useState(false)
  const { data: sources = [] } = useSources()
  const source = sources.find(each => each.name === server.source)
  const backend = useBackend()
  const opening = useSourceChange(
    (values: Readonly<Record<string, string>>) =>
      backend.request('POST /api/clients/open', { body: { file, id, inputs: values } }),
    onOpened,
  )
  const refused = useRefusal('POST /api/clients/open')
  const isOpen = source !== undefined && source.status !== 'stopped' && source.status !== 'failed'
  return (
    <li className={styles.server}>
      <div className={styles.words}>
        <span className={styles.name}>{name}</span>
        {source && (
          <Badge tone={healthTone(source)}>
            {statusWord(source)}
            {source.name === name ? '' : ` as ${source.name}`}
          </Badge>
        )}
        {isDisabled && <Badge title="Disabled in its file. You can still open it here.">switched off</Badge>}
        <span className={styles.about}>{about}</span>
        {problem !== undefined && <span className={styles.problem}>{problem}</span>}
      </div>
      {problem === undefined && !isOpen && !isAsking && (
        <Button
          refused={refused}
          disabled={opening.isPending}
          aria-label={texts.openNamed(name)}
          onClick={() => (inputs.length > 0 ? setAsking(true) : opening.mutate({}))}
        >
          {opening.isPending
            ? texts.opening
            : opening.isError
              ? commonTexts.tryAgain
              : inputs.length > 0
                ? 'Open…'
                : texts.open}
        </Button>
      )}
      {isAsking && (
        <InputFields
          name={name}
          inputs={inputs}
          isPending={opening.isPending}
          onOpen={values => opening.mutate(values)}
          onCancel={() => {
            setAsking(false)
            opening.reset()
          }}
        />
      )}
      {opening.isError && (
        <div className={styles.below}>
          <ErrorNote
            error={opening.error}
            title={`Not opened. ${toAppError(opening.error).toShape().title}`}
          />
        </div>
      )}
    </li>
  )
}

interface InputFieldsProps {
  /** The name of the server. */
  readonly name: string
  readonly inputs: readonly ClientInput[]
  readonly isPending: boolean
  readonly onOpen: (values: Readonly<Record<string, string>>) => void
  readonly onCancel: () => void
}

/**
 * Asks for the inputs that a server's file requires before the start. Not a form element, because it may be inside a
 * form.
 */
function InputFields({ name, inputs, isPending, onOpen, onCancel }: InputFieldsProps) {
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
        // Enter must not submit a form around it.
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
          className="text-field"
          // The user has just opened these fields.
          // biome-ignore lint/a11y/noAutofocus: focus follows the action
          autoFocus={isFirst}
          type={isSecret ? 'password' : 'text'}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={event => onChange(event.target.value)}
        />
      ) : (
        <select id={id} className="text-field" value={value} onChange={event => onChange(event.target.value)}>
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
