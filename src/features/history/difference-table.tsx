import type { Differences } from '../../../core/example/differences.ts'
import { plural } from '../../ui/format.ts'
import styles from './difference-table.module.css'

/** Places where two values differ, with what stands on each side. */
export function DifferenceTable({ places, more }: Differences) {
  return (
    <div className={styles.wide}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Where</th>
            <th scope="col">Older</th>
            <th scope="col">Newer</th>
          </tr>
        </thead>
        <tbody>
          {places.map(({ path, expected, actual }) => (
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
      {more > 0 && <p className="muted">And {plural(more, 'more place', 'more places')}.</p>}
    </div>
  )
}

function Value({ text }: { readonly text: string | undefined }) {
  return text === undefined ? <span className="faint">nothing</span> : <code>{text}</code>
}
