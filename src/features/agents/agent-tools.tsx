import { Link } from '@tanstack/react-router'
import type { Agent, AgentTool } from '../../../core/agent/agent.ts'
import { parseWorkbenchSearch } from '../../navigation.ts'
import styles from './agent.module.css'
import { agentId } from './agent-id.ts'

/** Its tools as links: its own, and those it shares with the rest of the tree. */
export function AgentTools({ agent }: { readonly agent: Agent }) {
  return (
    <>
      <ToolList title="Own tools" agent={agent} tools={agent.ownTools} cut={agent.name.length + 1} />
      <ToolList title="Shared tools" agent={agent} tools={agent.sharedTools} cut={0} />
    </>
  )
}

interface ToolListProps {
  readonly title: string
  readonly agent: Agent
  readonly tools: readonly AgentTool[]
  /** Characters of the agent's own name before each tool's. */
  readonly cut: number
}

const maxShown = 500

function ToolList({ title, agent, tools, cut }: ToolListProps) {
  if (tools.length === 0) return null
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles.list}>
        {tools.slice(0, maxShown).map(({ ref, name, description }) => (
          <li key={name} className={styles.tool}>
            {ref === undefined ? (
              <code>{name}</code>
            ) : (
              <Link
                to="/"
                search={previous =>
                  parseWorkbenchSearch({ ...previous, tool: ref, about: undefined, agent: agentId(agent) })
                }
                className={styles.link}
              >
                <code>{name.slice(cut)}</code>
              </Link>
            )}
            <span className="muted truncate">
              {ref === undefined ? 'not in the catalog' : description?.split('\n', 1)[0]?.slice(0, 200)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
