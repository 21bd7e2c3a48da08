import type { ManifestProblem } from '../../core/tool/tool.ts'
import { plural } from './format.ts'
import styles from './notes.module.css'

const maxProblems = 200

/** The problems of a source or an agent; renders nothing without problems. */
export function ProblemList({ problems }: { readonly problems: readonly ManifestProblem[] }) {
  if (problems.length === 0) return null
  return (
    <section className="stack" aria-label="Problems">
      <h2>{plural(problems.length, 'problem')}</h2>
      <ul className="stack">
        {problems.slice(0, maxProblems).map(problem => (
          <li key={`${problem.index} ${problem.name} ${problem.message}`} className={styles.problem}>
            <p>
              {problem.index !== undefined && <span className="faint">entry {problem.index} </span>}
              {problem.name !== undefined && <code>{problem.name} </code>}
              {problem.message}
            </p>
            {problem.hint && <p className="muted">{problem.hint}</p>}
          </li>
        ))}
      </ul>
      {problems.length > maxProblems && (
        <p className="muted">and {plural(problems.length - maxProblems, 'more', 'more')}</p>
      )}
    </section>
  )
}
