import type { Change, Verdict } from '../../../core/diff/change.ts'
import { join } from '../../ui/join.ts'
import styles from './change-item.module.css'
import { printValue } from './print-value.ts'
import { texts } from './texts.ts'
import { LongText, VisibleText } from './visible-text.tsx'

const verdictWords = {
  proved: 'proved',
  refuted: 'refuted',
  unknown: texts.undecided,
  invalid: 'not a valid schema',
} as const satisfies Record<Verdict, string>

/** What the button says that shows the proof; absent where there is none. */
export function proofTitle({ strict, declared }: Change): string | undefined {
  const main = declared ?? strict
  if (main === undefined) return undefined
  if (main === 'proved') return 'Why this is proved'
  return main === 'unknown' ? 'Why this is undecided' : 'How this was decided'
}

/** How the verdict was reached, and for which callers it is true. */
export function Proof({ change: { strict, declared, reason } }: { readonly change: Change }) {
  const main = declared ?? strict
  return (
    <div className="muted">
      <p>
        {main && <b>{verdictWords[main]}</b>}
        {reason && (
          <>
            : <VisibleText text={reason} />
          </>
        )}
      </p>
      {strict !== undefined && declared !== undefined && strict !== declared && (
        <p>
          For callers that send only declared fields: <b>{verdictWords[declared]}</b>. For any value:{' '}
          <b>{verdictWords[strict]}</b>.
        </p>
      )}
    </div>
  )
}

/** The part that changed, before beside after (above it where the page is narrow). */
export function BeforeAfter({ change }: { readonly change: Change }) {
  return (
    <div className={styles.pair}>
      {(['before', 'after'] as const).map(side => (
        <figure key={side} className={styles.side}>
          <figcaption className={styles.label}>{side}</figcaption>
          {change[side] === undefined ? (
            <p className="faint">absent</p>
          ) : (
            <pre className={join('wrapped', styles.value)}>
              <LongText text={printValue(change[side])} />
            </pre>
          )}
        </figure>
      ))}
    </div>
  )
}
