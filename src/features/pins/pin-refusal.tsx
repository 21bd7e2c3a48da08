import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePinReview } from '../../api/pins.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import type { OpenTool } from '../diff/report-sections.ts'
import styles from './pins.module.css'
import { ClassBadges, ItemChanges } from './review-item.tsx'
import { findItems, type PinnedTool } from './tool-pin.tsx'

interface PinRefusalProps {
  readonly tool: PinnedTool
  readonly onOpen: OpenTool
  /**
   * Calls again with the same input, and accepts the differences with these hashes for this call only. Absent if the input
   * is not known exactly.
   */
  readonly onCallOnce: ((hashes: readonly string[]) => void) | undefined
}

/** Below a call that was stopped: what changed since the approval, a link to the review, and the way on for this once. */
export function PinRefusal({ tool, onOpen, onCallOnce }: PinRefusalProps) {
  const { data: review, isFetching } = usePinReview(tool.source)
  const items = findItems(review?.items ?? [], tool)
  const hashes = items.flatMap(({ hash }) => hash ?? [])
  // A press must not accept what has just replaced what the user reads.
  const key = hashes.join()
  const [read, setRead] = useState(key)
  if (read === '' && key !== '') setRead(key)
  const mayApprove = useRefusal('PUT /api/sources/{name}/pin') === undefined
  const canGoOn =
    mayApprove &&
    items.length > 0 &&
    hashes.length === items.length &&
    items.every(({ action }) => action === 'ask')
  if (items.length === 0 && !isFetching)
    return (
      <div className={styles.refusal}>
        <Link to="/review" search={{ source: tool.source }}>
          Review the changes of its source
        </Link>
      </div>
    )
  return (
    <section className={styles.refusal} aria-label="Changes since the approval" data-testid="pin-refusal">
      <div className="row wrap">
        <Link
          to="/review"
          search={{ source: tool.source, tool: tool.ref }}
          className={join(buttonStyles.button, buttonStyles.primary)}
        >
          Review the change
        </Link>
        {canGoOn && onCallOnce && read !== key && (
          <>
            <span role="alert">It changed again while it was shown here.</span>
            <Button onClick={() => setRead(key)}>Go on with the new one</Button>
          </>
        )}
        {canGoOn && onCallOnce && read === key && (
          <Button
            onClick={() => onCallOnce(hashes)}
            title="Sends the same input once. The next call asks again."
          >
            Call once anyway
          </Button>
        )}
        <span className="note">Your input is kept.</span>
      </div>
      {items.map(item => (
        <article key={`${item.kind} ${item.name}`} className={join('stack', styles.section)}>
          <div className={styles.head}>
            {item.kind === 'server' && <b>The server</b>}
            <ClassBadges item={item} />
          </div>
          <ItemChanges source={tool.source} item={item} onOpen={onOpen} id={`refusal-${item.kind}`} />
        </article>
      ))}
    </section>
  )
}
