import type { ManifestProblem } from '../../core/tool/tool.ts'
import { plural } from './format.ts'
import styles from './problem-list.module.css'

/** Problems drawn at most. */
const shown = 200

/** What is wrong with a source or an agent, part by part; the others are unharmed. Nothing where all is well. */
export function ProblemList({ problems }: { readonly problems: readonly ManifestProblem[] }) {
  if (problems.length === 0) return null
  return (
    <section className={styles.section} aria-label="Problems">
      <h2>{plural(problems.length, 'problem')}</h2>
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
