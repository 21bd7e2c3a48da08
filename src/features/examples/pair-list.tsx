import { join } from '../../ui/join.ts'
import { ScrollRegion } from '../../ui/scroll.tsx'
import styles from './compare-page.module.css'
import { countsText, PairState } from './pair-state.tsx'
import { texts } from './texts.ts'
import type { Comparison } from './use-comparison.ts'

interface PairListProps {
  readonly comparison: Comparison
  readonly plan: NonNullable<Comparison['plan']>
  readonly openAt: number
  readonly onOpen: (index: number) => void
}

/** What was sent, each with its state, and how far it is. */
export function PairList({ comparison: { pairs, state }, plan, openAt, onOpen }: PairListProps) {
  const { total, problems, masks } = plan
  const ending = {
    running: `${pairs.length} of ${total} …`,
    done: '',
    cancelled: `cancelled at ${pairs.length} of ${total}`,
  }
  return (
    <div className="pane">
      <p className={styles.counts} role="status" data-testid="compare-counts">
        {[ending[state], countsText(pairs)].filter(text => text !== '').join(' · ')}
      </p>
      <ScrollRegion label="Pairs">
        <ul>
          {pairs.map(({ tool, name, status }, index) => (
            <li key={`${tool} ${name}`}>
              <button
                type="button"
                className={join('row hoverable', styles.row, index === openAt && styles.open)}
                aria-current={index === openAt || undefined}
                onClick={() => onOpen(index)}
              >
                <span className={join('column grow', styles.names)}>
                  <span className="mono truncate">{tool}</span>
                  <span className="note truncate">{name}</span>
                </span>
                <PairState status={status} />
              </button>
            </li>
          ))}
        </ul>
        {problems.length > 0 && (
          <section className={join('stack', styles.problems)} aria-label={texts.filesThatAreNotExamples}>
            <h2>{texts.filesThatAreNotExamples}</h2>
            {problems.map(({ file, message }) => (
              <p key={file}>
                <code>{file}</code> {message}
              </p>
            ))}
          </section>
        )}
      </ScrollRegion>
      <p className={join('note', styles.masks)}>
        {masks === undefined
          ? 'Do times and ids differ? Name them in a toolscope.masks.json beside toolscope.json.'
          : `Places named in ${masks} are left out.`}
      </p>
    </div>
  )
}
