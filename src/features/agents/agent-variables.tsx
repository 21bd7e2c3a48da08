import { useId, useState } from 'react'
import { type Agent, type AgentVariable, variableEnvironmentName } from '../../../core/tool/agent.ts'
import { isSecretName } from '../../../core/tool/is-secret.ts'
import { Button } from '../../ui/button.tsx'
import inputStyles from '../../ui/input.module.css'
import { join } from '../../ui/join.ts'
import styles from './agent.module.css'
import { texts } from './texts.ts'
import { useEnteredValues } from './variable-store.ts'

/** The agent's variables as a form. What is entered is kept in this browser and goes with every call for this agent. */
export function AgentVariables({ agent }: { readonly agent: Agent }) {
  const { entered, enter } = useEnteredValues(agent)
  if (agent.variables.length === 0) return null
  return (
    <section className="stack" aria-label={texts.variables} data-testid="agent-variables">
      <h2>{texts.variables}</h2>
      <p className="muted">Sent with every call for this agent and filled into its instructions.</p>
      <div className={styles.variables}>
        {agent.variables.map(variable => (
          <Field
            key={variable.name}
            variable={variable}
            entered={Object.hasOwn(entered, variable.name) ? entered[variable.name] : undefined}
            onEnter={value => enter(variable.name, value)}
          />
        ))}
      </div>
    </section>
  )
}

interface FieldProps {
  readonly variable: AgentVariable
  /** Absent while the default counts. */
  readonly entered: string | undefined
  readonly onEnter: (value: string | undefined) => void
}

/** What the field holds, in words: a default, nothing and an empty text look alike. */
function stateOf({ variable, entered }: FieldProps): string {
  const { default: fallback, inEnvironment = false } = variable
  if (entered === '') return 'empty text'
  if (entered !== undefined)
    return inEnvironment
      ? 'instead of the environment'
      : fallback === undefined
        ? ''
        : 'instead of the default'
  if (inEnvironment) return 'from the environment'
  return fallback === undefined ? 'no value' : 'default'
}

function Field(props: FieldProps) {
  const { variable, entered, onEnter } = props
  const { name, description, default: fallback } = variable
  const id = useId()
  const [open, setOpen] = useState(false)
  const secret = isSecretName(name)
  const environmentName = variableEnvironmentName(name)
  return (
    <div className={styles.variable}>
      <div className={join('row', styles.headline)}>
        <label htmlFor={id} className="mono">
          {name}
        </label>
        <span className="muted">{stateOf(props)}</span>
        <span className="grow" />
        {entered !== undefined && (
          <Button look="quiet" className={styles.small} onClick={() => onEnter(undefined)}>
            {variable.inEnvironment
              ? 'Use the environment’s'
              : fallback === undefined
                ? 'Remove the value'
                : 'Use the default'}
          </Button>
        )}
      </div>
      <div className="row">
        <input
          id={id}
          className={inputStyles.input}
          type={secret && !open ? 'password' : 'text'}
          value={entered ?? fallback ?? ''}
          onChange={event => onEnter(event.target.value)}
          aria-describedby={`${id}-help`}
          autoComplete="off"
          spellCheck={false}
        />
        {secret && (
          <Button aria-pressed={open} aria-label={`Show ${name}`} onClick={() => setOpen(!open)}>
            {open ? 'Hide' : 'Show'}
          </Button>
        )}
      </div>
      <p id={`${id}-help`} className={join('note', styles.help)}>
        {description && <span>{description} · </span>}
        {environmentName === null ? (
          <span>Not a valid name of an environment variable: tools do not get it.</span>
        ) : (
          <code className="faint">{environmentName}</code>
        )}
        {secret && <span> A secret: not saved, gone when this page closes.</span>}
      </p>
    </div>
  )
}
