import type { Change, Verdict } from '../../../core/diff/change.ts'
import styles from './proof.module.css'
import { VisibleText } from './visible-text.tsx'

const verdictWords = {
  proved: 'proved',
  refuted: 'refuted',
  unknown: 'undecided',
  invalid: 'no valid schema',
} as const satisfies Record<Verdict, string>

/** How a verdict was reached, and for whom it holds. */
export function Proof({ change }: { readonly change: Change }) {
  const { strict, declared, reason } = change
  if (strict === undefined && declared === undefined && !reason) return null
  const main = declared ?? strict
  const differ = strict !== undefined && declared !== undefined && strict !== declared
  return (
    <div className={styles.proof}>
      {reason && (
        <p>
          {main && main !== 'refuted' && <b>{verdictWords[main]}: </b>}
          <VisibleText text={reason} />
        </p>
      )}
      {differ && (
        <p>
          For callers that send only declared fields: <b>{verdictWords[declared]}</b>. For every caller:{' '}
          <b>{verdictWords[strict]}</b>.
        </p>
      )}
      {!reason && !differ && main === 'proved' && <p>proved: nothing that fitted before is refused now</p>}
    </div>
  )
}
