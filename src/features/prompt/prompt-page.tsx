import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useBackend } from '../../api/backend.ts'
import { promptQuery } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
import { Loading } from '../../ui/spinner.tsx'
import { Choice } from './choice.tsx'
import { Findings } from './findings.tsx'
import styles from './prompt-page.module.css'
import { promptQueryOf, usePromptSearch } from './prompt-search.ts'
import { PromptText } from './prompt-text.tsx'
import { Weight } from './weight.tsx'

/** What an agent would get for a set of tools: the text, what it weighs, and who would refuse it. */
export function PromptPage() {
  const backend = useBackend()
  const [search] = usePromptSearch()
  const query = promptQueryOf(search)
  const { data, error, isFetching } = useQuery(promptQuery(backend, query))
  // Lists of thousands are drawn while typing goes on.
  const answer = useDeferredValue(data)
  if (!backend.has('POST /api/prompt')) return <EmptyState title="Prompt preview is not available here" />
  return (
    <section className={styles.page} aria-label="Prompt" aria-busy={isFetching}>
      <h1 className="visually-hidden">Prompt preview</h1>
      <aside className={join('column', styles.choice)} aria-label="Tools and form">
        <Choice answer={answer} />
      </aside>
      <div className={join('column', styles.middle)}>
        <ErrorNote error={error} />
        {!answer && !error && <Loading>Counting…</Loading>}
        {answer && <PromptText answer={answer} query={query} busy={isFetching} />}
      </div>
      <aside className={styles.weight} aria-label="Size and portability">
        {answer && <Weight answer={answer} />}
        <Findings />
      </aside>
    </section>
  )
}
