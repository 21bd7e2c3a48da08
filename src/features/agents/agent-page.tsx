import type { Agent } from '../../../core/agent/agent.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { ProblemList } from '../../ui/problem-list.tsx'
import styles from './agent.module.css'
import { AgentDocuments } from './agent-documents.tsx'
import { agentId } from './agent-id.ts'
import { AgentInstructions } from './agent-instructions.tsx'
import { useAgents } from './agent-links.tsx'
import { AgentTools } from './agent-tools.tsx'
import { AgentVariables } from './agent-variables.tsx'

/** An agent's own page: what it is told, what it is given, and its tools. */
export function AgentPage({ id }: { readonly id: string }) {
  const { data: agents } = useAgents()
  const agent = agents?.find(each => agentId(each) === id)
  if (agent) return <Loaded key={id} agent={agent} />
  return agents ? (
    <EmptyState title={`There is no agent “${id}”`}>
      Its source may have been closed, or its folder renamed.
    </EmptyState>
  ) : null
}

function Loaded({ agent }: { readonly agent: Agent }) {
  const go = useWorkbenchNavigate()
  const { name, title = name, version, description, source } = agent
  return (
    <section className={styles.page} aria-label="Agent" data-testid="agent-page">
      <div>
        <div className={styles.head}>
          <h1 className={styles.title}>{title}</h1>
          {title !== name && <code>{name}</code>}
          {version !== undefined && <Badge>{version}</Badge>}
          <Badge tone="info">agent</Badge>
          <button
            type="button"
            className={styles.source}
            aria-label={`Source ${source}: show it`}
            onClick={() => go({ about: source, tool: undefined, tab: undefined })}
          >
            <Badge>{source}</Badge>
          </button>
        </div>
        {description && (
          <div className={styles.description}>
            <Markdown text={description} />
          </div>
        )}
      </div>
      <ProblemList problems={agent.problems} />
      <div className={styles.columns}>
        <div className={styles.column}>
          <AgentVariables agent={agent} />
          <AgentInstructions agent={agent} />
        </div>
        <div className={styles.column}>
          <AgentTools agent={agent} />
          <Starters starters={agent.conversationStarters} />
          <AgentDocuments documents={agent.documents} />
        </div>
      </div>
    </section>
  )
}

const maxShown = 100

function Starters({ starters }: { readonly starters: readonly string[] }) {
  if (starters.length === 0) return null
  return (
    <section className={styles.section} aria-label="Conversation starters">
      <h2>Conversation starters</h2>
      <ul className={styles.list}>
        {starters.slice(0, maxShown).map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: starters may repeat, and never move
          <li key={index} className={styles.starter}>
            <span>{text}</span>
            <CopyButton label={`Copy “${text.slice(0, 60)}”`} text={() => text} />
          </li>
        ))}
      </ul>
    </section>
  )
}
