import type { Agent } from '../../../core/tool/agent.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Description } from '../../ui/description.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { join } from '../../ui/join.ts'
import { ProblemList } from '../../ui/problem-list.tsx'
import styles from './agent.module.css'
import { agentId } from './agent-id.ts'
import { AgentInstructions } from './agent-instructions.tsx'
import { useAgents } from './agent-links.tsx'
import { AgentDocuments, AgentTools, ListSection } from './agent-lists.tsx'
import { AgentVariables } from './agent-variables.tsx'
import { DynamicInstructions } from './dynamic-instructions.tsx'

/** An agent's own page: what it is told, what it is given, and its tools. */
export function AgentPage({ id }: { readonly id: string }) {
  const { data: agents } = useAgents()
  const agent = agents?.find(each => agentId(each) === id)
  if (agent) return <Loaded key={id} agent={agent} />
  return agents ? (
    <EmptyState title={`No agent “${id}”`}>Its source may be closed or its folder renamed.</EmptyState>
  ) : null
}

function Loaded({ agent }: { readonly agent: Agent }) {
  const go = useWorkbenchNavigate()
  const { name, title = name, version, description, source } = agent
  return (
    <section className={join('page', styles.page)} aria-label="Agent" data-testid="agent-page">
      <div>
        <div className={join('row wrap', styles.head)}>
          <h1 className={styles.title}>{title}</h1>
          {title !== name && <code>{name}</code>}
          {version !== undefined && <Badge>{version}</Badge>}
          <Badge tone="info">agent</Badge>
          <button
            type="button"
            className={styles.link}
            aria-label={`Source ${source}: show it`}
            onClick={() => go({ about: source, tool: undefined, tab: undefined })}
          >
            <Badge>{source}</Badge>
          </button>
        </div>
        {description && (
          <div className={styles.description}>
            <Description text={description} lines={8} />
          </div>
        )}
      </div>
      <ProblemList problems={agent.problems} />
      <div className={join('stack', styles.columns)}>
        <div className={join('stack', styles.column)}>
          <AgentVariables agent={agent} />
          {agent.dynamicInstructions ? (
            <DynamicInstructions agent={agent} />
          ) : (
            <AgentInstructions agent={agent} text={agent.instructions} />
          )}
        </div>
        <div className={join('stack', styles.column)}>
          <AgentTools agent={agent} />
          <ListSection title="Conversation starters" items={agent.conversationStarters}>
            {text => (
              <>
                <span className="grow">{text}</span>
                <CopyButton label={`Copy “${text.slice(0, 60)}”`} text={() => text} />
              </>
            )}
          </ListSection>
          <AgentDocuments documents={agent.documents} />
        </div>
      </div>
    </section>
  )
}
