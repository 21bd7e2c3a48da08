import type { ToolDetail } from '../../../core/api/catalog.ts'
import { Badge } from '../../ui/badge.tsx'
import { join } from '../../ui/join.ts'
import { functionFacts } from './function-facts.ts'
import styles from './tool-head.module.css'

/** How a tool of a functions directory stands: built or not, at one with its source or not, and what it wants to be set. */
export function FunctionNotes({ extra }: { readonly extra: ToolDetail['extra'] }) {
  const facts = functionFacts(extra)
  if (!facts) return null
  const { bridge, declaredIn = 'its source', unbuilt, stale, environment } = facts
  return (
    <ul className={join('stack note', styles.notes)}>
      {unbuilt && (
        <li>
          <Badge tone="info">declared in source</Badge> Read from <code>{declaredIn}</code>; functions.json
          does not have it. Build the tree before you rely on it.
        </li>
      )}
      {stale.length > 0 && (
        <li>
          <Badge tone="warn">stale build</Badge> functions.json and <code>{declaredIn}</code> disagree:{' '}
          {stale.join('; ')}. Build the tree again.
        </li>
      )}
      {bridge !== undefined && (
        <li>
          Called through the MCP bridge, server <code>{bridge}</code>.
        </li>
      )}
      {environment.length > 0 && (
        <li>
          Reads{' '}
          {environment.map(({ name, required, set, description }, index) => (
            <span key={name} title={description}>
              {index > 0 && ', '}
              <code>{name}</code>{' '}
              <span className={required && !set ? styles.unset : undefined}>
                ({[required && 'required', set ? 'set' : 'not set'].filter(Boolean).join(', ')})
              </span>
            </span>
          ))}
        </li>
      )}
    </ul>
  )
}
