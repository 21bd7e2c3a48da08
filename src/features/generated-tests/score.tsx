/** How well a tool keeps its contract, and how much of its schema was tried. */
import type { ContractScore, ScorePart } from '../../../core/checks/contract-score.ts'
import type {
  CoverageCount,
  SchemaCoverage,
  UnknownConstraint,
} from '../../../core/checks/generate-inputs.ts'
import { formatCount, plural } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import styles from './generated-tests.module.css'

/** The parts of a score in the order of reports, with what each means. */
export const scoreRows = [
  ['staysAlive', 'Stays alive', 'It answers, and still answers after the call.'],
  ['refusesForbidden', 'Refuses what it forbids', 'An input that the schema forbids is an error.'],
  ['namesField', 'Names the field', 'The error names the field that is wrong.'],
  ['keepsOutput', 'Keeps its output', 'Allowed inputs get a result that matches the output schema.'],
  ['declaresOutput', 'Declares its output', 'The tool has an output schema.'],
] as const satisfies readonly (readonly [ScorePart, string, string])[]

/** Returns a share as whole percent. Only a full share is 100. */
export function toPercent(share: number): number {
  return share < 1 ? Math.min(99, Math.round(100 * share)) : 100
}

/** The score of a tool or a source, with its five parts. */
export function ScoreCard({ score }: { readonly score: ContractScore }) {
  return (
    <section className={join('stack', styles.card)} aria-label="Contract score">
      <h3 className="row">
        Contract score <ScoreNumber score={score} />
      </h3>
      <ul className={styles.bars}>
        {scoreRows.map(([part, label, meaning]) => (
          <Bar key={part} label={label} title={meaning} share={score.parts[part]} />
        ))}
      </ul>
    </section>
  )
}

const coverageRows = [
  ['constraints', 'Constraints'],
  ['branches', 'Branches'],
  ['enumValues', 'Enum values'],
] as const satisfies readonly (readonly [keyof SchemaCoverage, string])[]

interface CoverageCardProps {
  readonly coverages: readonly SchemaCoverage[]
  /** Constraints without a forbidden input. */
  readonly unknowns: readonly UnknownConstraint[]
}

/** The shares of the schemas that the inputs exercise. Parts that no schema has are left out. */
export function CoverageCard({ coverages, unknowns }: CoverageCardProps) {
  const rows = coverageRows.flatMap(([part, label]) => {
    const sum = (of: keyof CoverageCount) => coverages.reduce((total, each) => total + each[part][of], 0)
    const [exercised, total] = [sum('exercised'), sum('total')]
    return total === 0 ? [] : [{ label, exercised, total }]
  })
  if (rows.length === 0) return null
  return (
    <section className={join('stack', styles.card)} aria-label="Coverage of the schema">
      <h3>Coverage of the schema</h3>
      <ul className={styles.bars}>
        {rows.map(({ label, exercised, total }) => {
          const counts = `${formatCount(exercised)} of ${formatCount(total)}`
          return <Bar key={label} label={label} share={exercised / total} counts={counts} />
        })}
      </ul>
      {unknowns.length > 0 && (
        <details>
          <summary>{plural(unknowns.length, 'constraint')} without a forbidden input</summary>
          <ul className="note">
            {unknowns.slice(0, maxUnknowns).map(({ constraint: { pointer, keyword }, reason }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two tools may have the same constraint, and the list is fixed
              <li key={index}>
                <code>{`${pointer}/${keyword}`}</code> {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

/** The number of constraints that are listed. */
const maxUnknowns = 100

interface BarProps {
  readonly label: string
  readonly title?: string
  /** 0 to 1; undefined if it was not tested. */
  readonly share: number | undefined
  readonly counts?: string
}

function Bar({ label, title, share, counts }: BarProps) {
  const percent = share === undefined ? undefined : toPercent(share)
  return (
    <li className={styles.bar} title={title}>
      <span>{label}</span>
      {/* The words next to it say the same. */}
      <span className={styles.track} aria-hidden>
        <span
          className={styles.filled}
          data-tone={toTone(percent ?? 0)}
          style={{ width: `${percent ?? 0}%` }}
        />
      </span>
      <span className={styles.value}>
        {percent === undefined ? <span className="faint">not tested</span> : `${percent}%`}
        {counts !== undefined && <span className="faint"> {counts}</span>}
      </span>
    </li>
  )
}

/** The score as a number out of 100. */
export function ScoreNumber({ score: { total } }: { readonly score: Pick<ContractScore, 'total'> }) {
  if (total === 'not tested') return <span className="faint">not tested</span>
  return (
    <span className={styles.score} data-tone={toTone(total)}>
      {total}
      <span className={styles.outOf}>/100</span>
    </span>
  )
}

/** Returns the tone of a number of percent or of a score. */
const toTone = (value: number) => (value >= 90 ? 'ok' : value >= 70 ? 'warn' : 'bad')
