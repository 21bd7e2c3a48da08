import type { Differences } from '../../core/checks/differences.ts'
import styles from './difference-table.module.css'
import { plural } from './format.ts'

/** The head of a table, with one heading for each column. */
export function TableHead({ headings }: { readonly headings: readonly string[] }) {
  return (
    <thead>
      <tr>
        {headings.map(heading => (
          <th key={heading} scope="col">
            {heading}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface DifferenceTableProps extends Differences {
  /** The names of the two sides. */
  readonly sides: readonly [string, string]
}

/** The locations where two values differ, with the value on each side. */
export function DifferenceTable({ differences, more, sides }: DifferenceTableProps) {
  return (
    <div className={styles.wide}>
      <table className={styles.table}>
        <TableHead headings={['Where', ...sides]} />
        <tbody>
          {differences.map(({ path, expected, actual }) => (
            <tr key={path}>
              <th scope="row">
                <code>{path || 'the whole value'}</code>
              </th>
              <td className={styles.before}>
                <Value text={expected} />
              </td>
              <td className={styles.after}>
                <Value text={actual} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && <p className="muted">And {plural(more, 'more location', 'more locations')}.</p>}
    </div>
  )
}

function Value({ text }: { readonly text: string | undefined }) {
  return text === undefined ? <span className="faint">nothing</span> : <code>{text}</code>
}
