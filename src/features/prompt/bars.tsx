import { Link } from '@tanstack/react-router'
import { formatCount } from '../../ui/format.ts'
import styles from './bars.module.css'

interface BarRow {
  readonly id: string
  /** The tool that the row leads to. */
  readonly ref?: string
  readonly label: string
  readonly tokens: number
  readonly note?: string
}

/** A bar chart whose every bar is said in words and numbers too. */
export function Bars({ title, rows }: { readonly title: string; readonly rows: readonly BarRow[] }) {
  if (rows.length === 0) return null
  const most = Math.max(1, ...rows.map(({ tokens }) => tokens))
  return (
    <section className={styles.chart} aria-label={title}>
      <h2>{title}</h2>
      <ol className={styles.rows}>
        {rows.map(({ id, ref, label, tokens, note }) => (
          <li key={id}>
            <div className={styles.words}>
              {ref === undefined ? (
                <span className={styles.label}>{label}</span>
              ) : (
                <Link to="/" search={{ tool: ref }} className={styles.label} title={ref}>
                  {label}
                </Link>
              )}
              <span className={styles.tokens}>{formatCount(tokens)}</span>
            </div>
            <div className={styles.track} aria-hidden>
              <div className={styles.bar} style={{ width: `${(100 * tokens) / most}%` }} />
            </div>
            {note && <p className={styles.note}>{note}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
