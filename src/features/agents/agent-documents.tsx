import type { AgentDocument } from '../../../core/agent/agent.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatBytes } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { isSafeLink } from '../../ui/markdown-check.ts'
import styles from './agent.module.css'
import { ListSection } from './list-section.tsx'

const kinds: Record<AgentDocument['kind'], string> = {
  file: 'file',
  directory: 'folder',
  pattern: 'pattern',
  url: 'link',
  missing: 'missing',
  outside: 'outside the agent’s folder: not looked at',
}

/** What the agent reads from. Nothing of it is opened here. */
export function AgentDocuments({ documents }: { readonly documents: readonly AgentDocument[] }) {
  return (
    <ListSection title="Documents" items={documents}>
      {({ path, kind, size }) => (
        <span className={join('row', styles.document)}>
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
