import type { ToolDetail } from '../../../core/api/catalog.ts'
import { Badge } from '../../ui/badge.tsx'
import { join } from '../../ui/join.ts'
import { functionFacts } from './function-facts.ts'
import { texts } from './texts.ts'
import styles from './tool-head.module.css'

/** How a tool of a functions directory stands: built or not, at one with its source or not, and what it wants to be set. */
export function FunctionNotes({ extra }: { readonly extra: ToolDetail['extra'] }) {
  const facts = functionFacts(extra)
  if (!facts) return null
  const { bridge, declaredIn = texts.itsSource, unbuilt, stale, environment } = facts
  return (
    <ul className={join('stack note', styles.notes)}>
      {unbuilt && (
        <li>
          <Badge tone="info">{texts.declaredInSource}</Badge> {texts.readFrom} <code>{declaredIn}</code>
          {texts.notBuiltYet}
        </li>
      )}
      {stale.length > 0 && (
        <li>
          <Badge tone="warn">{texts.staleBuild}</Badge> {texts.buildDiffersStart} <code>{declaredIn}</code>{' '}
          {texts.buildDiffers(stale.join('; '))}
        </li>
      )}
      {bridge !== undefined && (
        <li>
          {texts.calledThroughBridge} <code>{bridge}</code>.
        </li>
      )}
      {environment.length > 0 && (
        <li>
          {texts.reads}{' '}
          {environment.map(({ name, required, set, description }, index) => (
            <span key={name} title={description}>
              {index > 0 && ', '}
              <code>{name}</code>{' '}
              <span className={required && !set ? styles.unset : undefined}>
                ({required ? texts.required : ''}
                {set ? texts.set : texts.notSet})
              </span>
            </span>
          ))}
        </li>
      )}
    </ul>
  )
}
