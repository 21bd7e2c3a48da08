import type { ManifestProblem } from '../../../core/tool.ts'
import { plural } from '../../lib/format.ts'
import styles from './source-page.module.css'

/** Problems drawn at most. */
const shown = 200

/** Entries of the manifest that are wrong; the others are unharmed. */
export function SourceProblems({ problems }: { readonly problems: readonly ManifestProblem[] }) {
  if (problems.length === 0) return null
  return (
    <section className={styles.section} aria-label="Problems">
      <h2>{plural(problems.length, 'problem')} in its list</h2>
      <ul className={styles.problems}>
        {problems.slice(0, shown).map(problem => (
          <li key={`${problem.index} ${problem.name} ${problem.message}`}>
            <p>
              {problem.index !== undefined && <span className="faint">entry {problem.index} </span>}
              {problem.name !== undefined && <code>{problem.name} </code>}
              {problem.message}
            </p>
            {problem.hint && <p className="muted">{problem.hint}</p>}
          </li>
        ))}
      </ul>
      {problems.length > shown && (
        <p className="muted">and {plural(problems.length - shown, 'more', 'more')}</p>
      )}
    </section>
  )
}
