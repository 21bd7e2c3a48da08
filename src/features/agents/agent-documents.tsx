import type { AgentDocument } from '../../../core/agent/agent.ts'
import { Badge } from '../../ui/badge.tsx'
import { formatBytes } from '../../ui/format.ts'
import { isSafeLink } from '../../ui/markdown-check.ts'
import styles from './agent.module.css'

const kinds: Record<AgentDocument['kind'], string> = {
  file: 'file',
  directory: 'folder',
  pattern: 'pattern',
  url: 'link',
  missing: 'missing',
  outside: 'outside the agent’s folder: not looked at',
}

const maxShown = 200

/** What the agent reads from. Nothing of it is opened here. */
export function AgentDocuments({ documents }: { readonly documents: readonly AgentDocument[] }) {
  if (documents.length === 0) return null
  return (
    <section className={styles.section} aria-label="Documents">
      <h2>Documents</h2>
      <ul className={styles.list}>
        {documents.slice(0, maxShown).map(({ path, kind, size }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paths may repeat, and never move
          <li key={index} className={styles.document}>
            {kind === 'url' && isSafeLink(path) ? (
              <a href={path} target="_blank" rel="noopener noreferrer nofollow">
                {path}
              </a>
            ) : (
              <code>{path}</code>
            )}
            <Badge tone={kind === 'missing' || kind === 'outside' ? 'warn' : 'plain'}>{kinds[kind]}</Badge>
            {size !== undefined && <span className="muted">{formatBytes(size)}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
