import type { Agent } from '../../../core/agent/agent.ts'
import styles from './agent.module.css'
import { AgentLink } from './agent-link.tsx'
import { useCallVariables } from './variable-store.ts'

/** Above a tool's input: for which agent it is called, and which of its variables have no value yet. */
export function CallingAgent({ agent }: { readonly agent: Agent }) {
  const values = useCallVariables(agent) ?? {}
  const missing = agent.variables.filter(({ name }) => !Object.hasOwn(values, name))
  const count = agent.variables.length - missing.length
  return (
    <p className={styles.calling} data-testid="calling-agent">
      Called for <AgentLink agent={agent} />
      {count > 0 && `, with ${count === 1 ? '1 variable' : `${count} variables`}`}
      {missing.length > 0 && (
        <span className={styles.missing}>
          {' '}
          · no value for{' '}
          {missing
            .slice(0, 5)
            .map(({ name }) => name)
            .join(', ')}
          {missing.length > 5 && ` and ${missing.length - 5} more`}
        </span>
      )}
    </p>
  )
}
