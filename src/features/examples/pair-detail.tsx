import type { ShownPair } from '../../../core/api/compare.ts'
import { DifferenceTable } from '../../ui/difference-table.tsx'
import { formatDuration } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { JsonDiff } from '../../ui/json-editor/json-diff.tsx'
import { TextBox } from '../../ui/scroll.tsx'
import styles from './compare-page.module.css'
import { PairState } from './pair-state.tsx'
import { texts } from './texts.ts'

const lineHeight = 18
/** Pixels. */
const heightOf = ({ a, b }: NonNullable<ShownPair['answers']>) =>
  Math.min(560, (Math.max(...[a, b].map(text => text.split('\n').length)) + 1) * lineHeight)

interface PairDetailProps {
  readonly pair: ShownPair
  readonly sides: readonly [string, string]
}

/** One pair: what came of it, the places that differ, and both answers beside each other. */
export function PairDetail({ pair, sides }: PairDetailProps) {
  const { tool, name, status, message, flag, differences, more = 0, durationsMs, answers } = pair
  const [a, b] = sides
  const places = differences.map(({ path, a: expected, b: actual }) => ({ path, expected, actual }))
  return (
    <article className={join('page', styles.detail)} aria-label={`${name}, ${tool}`}>
      <header className="stack">
        <h2 className="name">{tool}</h2>
        <p className="row wrap">
          <PairState status={status} /> {name}
          {durationsMs && (
            <span className="faint">
              {a} {formatDuration(durationsMs.a)} · {b} {formatDuration(durationsMs.b)}
            </span>
          )}
        </p>
        <p>
          {message}
          {flag === 'allow-writes' && `. Tick “${texts.destructiveToolsToo}” to call it.`}
          {flag === 'allow-destructive' && (
            <>
              . It is not called from here; <code>toolscope compare --allow-destructive</code> calls it.
            </>
          )}
        </p>
      </header>
      {places.length > 0 && <DifferenceTable places={places} more={more} sides={sides} />}
      {status === 'same' && answers && (
        <section className="stack" aria-label={texts.sameAnswerFromBoth}>
          <h3>{texts.sameAnswerFromBoth}</h3>
          <TextBox maxHeight={600}>{answers.b}</TextBox>
        </section>
      )}
      {status === 'different' && (
        <section className="stack" aria-label={texts.bothAnswers}>
          <h3>{texts.bothAnswers}</h3>
          {answers ? (
            <div className={styles.editors} style={{ height: heightOf(answers) }}>
              <JsonDiff before={answers.a} after={answers.b} label={`Answers of ${a} and ${b}`} />
            </div>
          ) : (
            <p className="muted">One answer is too long to be shown.</p>
          )}
        </section>
      )}
    </article>
  )
}
