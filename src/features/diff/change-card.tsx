import { memo } from 'react'
import type { Change } from '../../../core/diff/change.ts'
import { BeforeAfter } from './before-after.tsx'
import styles from './change-card.module.css'
import { FoldedTools } from './folded-tools.tsx'
import { Proof } from './proof.tsx'
import { SeverityBadge } from './severity-badge.tsx'
import { VisibleText } from './visible-text.tsx'
import { WitnessBox } from './witness-box.tsx'
import { WordDiff } from './word-diff.tsx'

interface ChangeCardProps {
  readonly id: string
  readonly change: Change
  /** Opens the tool with an input; absent where there is no such tool to open. */
  readonly onTry: ((inputText: string) => Promise<void>) | undefined
}

/** One change: how bad, where, what, and how that is known. */
export const ChangeCard = memo(function ChangeCard({ id, change, onTry }: ChangeCardProps) {
  const { direction, path, message, fingerprint, words, cues = [], witness, tools } = change
  const place = placeOf(change)
  const hasValues = words === undefined && !saysAll(change)
  return (
    <article
      id={id}
      className={styles.card}
      tabIndex={-1}
      aria-labelledby={`${id}-head`}
      data-testid="change"
    >
      <header id={`${id}-head`} className={styles.head}>
        <SeverityBadge change={change} />
        {place && (
          <code className={styles.place} title={path}>
            <VisibleText text={place} />
          </code>
        )}
        <span className={styles.message}>
          <VisibleText text={message} />
        </span>
        <code className={styles.fingerprint} title="Fingerprint: names this change in an ignore file">
          {fingerprint}
        </code>
      </header>
      <div className={styles.body}>
        {words && <WordDiff words={words} cued={cues.length > 0} />}
        {cues.length > 0 && (
          <ul className={styles.cues} aria-label="What the added words do">
            {cues.map(cue => (
              <li key={cue}>
                ▲ <VisibleText text={cue} />
              </li>
            ))}
          </ul>
        )}
        {hasValues && <BeforeAfter before={change.before} after={change.after} />}
        {tools && <FoldedTools tools={tools} />}
        <Proof change={change} />
        {witness && (
          <WitnessBox
            direction={direction}
            witness={witness}
            onTry={direction === 'input' ? onTry : undefined}
          />
        )}
      </div>
    </article>
  )
})

/** Whether there are no values to show beside the message, or it holds them already: `false → true`. */
function saysAll({ before, after, message }: Change): boolean {
  return [before, after].every(value => {
    if (value === undefined) return true
    if (typeof value === 'object') return false
    const text = String(value)
    return text.length < 60 && message.includes(text)
  })
}

/** Where in the tool: `input /strategy/batch`, `annotations.destructiveHint`, `description`. */
function placeOf({ direction, path }: Change): string {
  if (direction === 'input' || direction === 'output') return path === '' ? direction : `${direction} ${path}`
  return path
}
