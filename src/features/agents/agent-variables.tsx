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
      <p className="muted">{texts.variablesNote}</p>
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
  if (entered === '') return texts.emptyText
  if (entered !== undefined)
    return inEnvironment
      ? texts.insteadOfTheEnvironment
      : fallback === undefined
        ? ''
        : texts.insteadOfTheDefault
  if (inEnvironment) return texts.fromTheEnvironment
  return fallback === undefined ? texts.noValue : texts.default
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
              ? texts.takeEnvironmentValue
              : fallback === undefined
                ? texts.removeValue
                : texts.takeDefault}
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
          <Button aria-pressed={open} aria-label={texts.showNamed(name)} onClick={() => setOpen(!open)}>
            {open ? texts.hide : texts.show}
          </Button>
        )}
      </div>
      <p id={`${id}-help`} className={join('note', styles.help)}>
        {description && <span>{description} · </span>}
        {environmentName === null ? (
          <span>{texts.invalidName} </span>
        ) : (
          <code className="faint">{environmentName}</code>
        )}
        {secret && <span> {texts.secretNote}</span>}
      </p>
    </div>
  )
}
