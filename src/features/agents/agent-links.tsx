import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Agent } from '../../../core/tool/agent.ts'
import { useBackend } from '../../api/backend.ts'
import { agentsQuery } from '../../api/queries.ts'
import { parseWorkbenchSearch } from '../../navigation.ts'
import { Badge } from '../../ui/badge.tsx'
import { plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import styles from './agent.module.css'
import { agentId } from './agent-id.ts'
import { ListSection } from './agent-lists.tsx'
import { useCallVariables } from './variable-store.ts'

/** Links to the pages of the agents of one source; empty if it has none. */
export function AgentLinks({ source }: { readonly source: string }) {
  const { data = [] } = useAgents()
  const agents = data.filter(agent => agent.source === source)
  return (
    <ListSection title={plural(agents.length, 'agent')} items={agents}>
      {agent => (
        <>
          <AgentLink agent={agent} />
          {agent.version !== undefined && <Badge>{agent.version}</Badge>}
          <span className="muted truncate">{agent.description?.split('\n', 1)[0]?.slice(0, 200)}</span>
        </>
      )}
    </ListSection>
  )
}

/** A link to the agent's page. It keeps the search and the filters of the catalog. */
function AgentLink({ agent }: { readonly agent: Agent }) {
  const agentSearch = { tool: undefined, tab: undefined, about: undefined, agent: agentId(agent) }
  return (
    <Link
      to="/"
      search={previous => parseWorkbenchSearch({ ...previous, ...agentSearch })}
      className={join(styles.link, styles.name)}
    >
      {agent.title ?? agent.name}
    </Link>
  )
}

/** Names, above a tool's input, the agent that the tool is called for and its variables without a value. */
export function CallingAgent({ agent }: { readonly agent: Agent }) {
  const values = useCallVariables(agent) ?? {}
  const missing = agent.variables.filter(({ name }) => !Object.hasOwn(values, name))
  const count = agent.variables.length - missing.length
  return (
    <p className={join('muted', styles.calling)} data-testid="calling-agent">
      Called for <AgentLink agent={agent} />
      {count > 0 && `, with ${plural(count, 'variable')}`}
      {missing.length > 0 && (
        <span className={styles.missing}> {noValueText(missing.map(({ name }) => name))}</span>
      )}
    </p>
  )
}

/** Returns all agents of the catalog; `data` is undefined until the first answer. */
export function useAgents() {
  return useQuery({ ...agentsQuery(useBackend()), select: ({ agents }) => agents })
}

function noValueText(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : ''
  return `· no value for ${names.slice(0, 5).join(', ')}${more}`
}
