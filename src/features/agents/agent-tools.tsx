import { Link } from '@tanstack/react-router'
import type { Agent } from '../../../core/agent/agent.ts'
import { parseWorkbenchSearch } from '../../navigation.ts'
import { join } from '../../ui/join.ts'
import styles from './agent.module.css'
import { agentId } from './agent-id.ts'
import { ListSection } from './list-section.tsx'

/** The tools of an agent as links: its own, and those that it shares with other agents of its source. */
export function AgentTools({ agent }: { readonly agent: Agent }) {
  // The agent's own name stands before each of its own tools.
  const ownPrefix = agent.name.length + 1
  const lists = [
    { title: 'Own tools', tools: agent.ownTools, cut: ownPrefix },
    { title: 'Shared tools', tools: agent.sharedTools, cut: 0 },
  ]
  return lists.map(({ title, tools, cut }) => (
    <ListSection key={title} title={title} items={tools}>
      {({ ref, name, description }) => (
        <>
          {ref === undefined ? (
            <code className={styles.name}>{name}</code>
          ) : (
            <Link
              to="/"
              search={previous =>
                parseWorkbenchSearch({ ...previous, tool: ref, about: undefined, agent: agentId(agent) })
              }
              className={join(styles.link, styles.name)}
            >
              <code>{name.slice(cut)}</code>
            </Link>
          )}
          <span className="muted truncate">
            {ref === undefined ? 'not in the catalog' : description?.split('\n', 1)[0]?.slice(0, 200)}
          </span>
        </>
      )}
    </ListSection>
  ))
}
