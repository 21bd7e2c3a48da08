import { useId, useState } from 'react'
import type { Agent } from '../../../core/agent/agent.ts'
import type { AgentVariable } from '../../../core/agent/variables.ts'
import { variableEnvironmentName } from '../../../core/agent/variables.ts'
import { isSecretName } from '../../../core/secrets/is-secret.ts'
import { Button } from '../../ui/button.tsx'
import styles from './agent.module.css'
import { useGivenValues } from './variable-store.ts'

/** The agent's variables as a form. What is given is kept in this browser and goes with every call for this agent. */
export function AgentVariables({ agent }: { readonly agent: Agent }) {
  const { given, give } = useGivenValues(agent)
  if (agent.variables.length === 0) return null
  return (
    <section className={styles.section} aria-label="Variables" data-testid="agent-variables">
      <h2>Variables</h2>
      <p className="muted">They go with every call for this agent, and into its instructions.</p>
      <div className={styles.variables}>
        {agent.variables.map(variable => (
          <Field
            key={variable.name}
            variable={variable}
            given={Object.hasOwn(given, variable.name) ? given[variable.name] : undefined}
            onGive={value => give(variable.name, value)}
          />
        ))}
      </div>
    </section>
  )
}

interface FieldProps {
  readonly variable: AgentVariable
  /** Absent while the default counts. */
  readonly given: string | undefined
  readonly onGive: (value: string | undefined) => void
}

/** What the field holds, in words: a default, nothing and an empty text look alike. */
function stateOf({ variable, given }: FieldProps): string {
  if (given === '') return 'empty text'
  if (given !== undefined) return variable.default === undefined ? '' : 'instead of the default'
  return variable.default === undefined ? 'no value' : 'default'
}

function Field(props: FieldProps) {
  const { variable, given, onGive } = props
  const { name, description, default: fallback } = variable
  const id = useId()
  const [open, setOpen] = useState(false)
  const secret = isSecretName(name)
  const environmentName = variableEnvironmentName(name)
  return (
    <div className={styles.variable}>
      <div className={styles.headline}>
        <label htmlFor={id} className="mono">
          {name}
        </label>
        <span className="muted">{stateOf(props)}</span>
        <span className="grow" />
        {given !== undefined && (
          <Button look="quiet" className={styles.small} onClick={() => onGive(undefined)}>
            {fallback === undefined ? 'Take it back' : 'Use the default'}
          </Button>
        )}
      </div>
      <div className={styles.entry}>
        <input
          id={id}
          className={styles.input}
          type={secret && !open ? 'password' : 'text'}
          value={given ?? fallback ?? ''}
          onChange={event => onGive(event.target.value)}
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
      <p id={`${id}-help`} className={styles.help}>
        {description && <span>{description} · </span>}
        {environmentName === null ? (
          <span>No environment variable can have this name: tools do not get it. </span>
        ) : (
          <code className="faint">{environmentName}</code>
        )}
        {secret && <span> A secret: it is forgotten when this page closes.</span>}
      </p>
    </div>
  )
}
