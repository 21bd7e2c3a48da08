import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../../api/backend.ts'
import { sourceLogQuery } from '../../api/queries.ts'
import { appErrorShape } from '../../api/request.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import styles from './source-page.module.css'

/** Colour codes of a terminal say nothing here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what it looks for
const ansi = /\u001b\[[0-9;]*[A-Za-z]/g

/** The end of what a source wrote beside its answers, asked for again while it is shown. */
export function SourceLog({ name }: { readonly name: string }) {
  const { data, error } = useQuery(sourceLogQuery(useBackend(), name))
  return (
    <section className={styles.section} aria-label="Log" data-testid="source-log">
      <h2>Log</h2>
      {error && <ErrorNote {...appErrorShape(error)} />}
      {data?.trim() ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
        <pre className={styles.said} tabIndex={0}>
          {data.replace(ansi, '')}
        </pre>
      ) : (
        data !== undefined && <p className="muted">It has written nothing yet.</p>
      )}
    </section>
  )
}
