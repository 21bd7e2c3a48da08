import { Badge } from '../../ui/badge.tsx'
import { plural } from '../../ui/format.ts'
import styles from './agent.module.css'
import { AgentLink } from './agent-link.tsx'
import { useAgents } from './use-agents.ts'

/** The agents of one source, each a link to its page. Nothing where there are none. */
export function AgentLinks({ source }: { readonly source: string }) {
  const { data = [] } = useAgents()
  const agents = data.filter(agent => agent.source === source)
  if (agents.length === 0) return null
  return (
    <section className={styles.section} aria-label="Agents">
      <h2>{plural(agents.length, 'agent')}</h2>
      <ul className={styles.list}>
        {agents.map(agent => (
          <li key={agent.name} className={styles.tool}>
            <AgentLink agent={agent} />
            {agent.version !== undefined && <Badge>{agent.version}</Badge>}
            <span className="muted truncate">{agent.description?.split('\n', 1)[0]?.slice(0, 200)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
