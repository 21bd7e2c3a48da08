import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Agent, AgentDocument } from '../../../core/tool/agent.ts'
import { parseWorkbenchSearch } from '../../navigation.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatBytes } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { isSafeLink } from '../../ui/markdown-check.ts'
import styles from './agent.module.css'
import { agentId } from './agent-id.ts'

interface ListSectionProps<Item> {
  readonly title: string
  readonly items: readonly Item[]
  readonly children: (item: Item) => ReactNode
}

const maxItems = 500

/** A list with a heading; nothing if the list is empty. */
export function ListSection<Item>({ title, items, children }: ListSectionProps<Item>) {
  if (items.length === 0) return null
  return (
    <section className="stack" aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles.list}>
        {items.slice(0, maxItems).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries may repeat, and are never reordered
          <li key={index} className="row">
            {children(item)}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Links to the agent's tools: its own, and those that it shares with other agents of its source. */
export function AgentTools({ agent }: { readonly agent: Agent }) {
  // The names of the agent's own tools begin with the agent's name.
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

const kinds: Record<AgentDocument['kind'], string> = {
  file: 'file',
  directory: 'folder',
  pattern: 'pattern',
  url: 'link',
  missing: 'missing',
  outside: 'outside the agent’s folder: not read',
}

/** The documents that the agent reads from. This list does not open them. */
export function AgentDocuments({ documents }: { readonly documents: readonly AgentDocument[] }) {
  return (
    <ListSection title="Documents" items={documents}>
      {({ path, kind, size }) => (
        <span className="row wrap">
          {kind === 'url' && isSafeLink(path) ? (
            <a href={path} target="_blank" rel="noopener noreferrer nofollow">
              {path}
            </a>
          ) : (
            <code>{path}</code>
          )}
          <Badge tone={kind === 'missing' || kind === 'outside' ? 'warn' : 'plain'}>{kinds[kind]}</Badge>
          {size !== undefined && <span className="muted">{formatBytes(size)}</span>}
        </span>
      )}
    </ListSection>
  )
}
