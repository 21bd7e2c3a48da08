import { Link } from '@tanstack/react-router'
import type { Agent } from '../../../core/agent/agent.ts'
import { parseWorkbenchSearch } from '../../navigation.ts'
import styles from './agent.module.css'
import { agentId } from './agent-id.ts'

/** To the agent's page; search and filters of the catalog stay. */
export function AgentLink({ agent }: { readonly agent: Agent }) {
  const place = { tool: undefined, tab: undefined, about: undefined, agent: agentId(agent) }
  return (
    <Link to="/" search={previous => parseWorkbenchSearch({ ...previous, ...place })} className={styles.link}>
      {agent.title ?? agent.name}
    </Link>
  )
}
