import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { GitCompareArrows, RefreshCw } from 'lucide-react'
import type { SourceState } from '../../../core/api.ts'
import { useBackend } from '../../api/backend.ts'
import { invalidateCatalog } from '../../api/queries.ts'
import { appErrorShape } from '../../api/request.ts'
import { useGo, usePlace } from '../../place.ts'
import { Badge } from '../../ui/badge.tsx'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { healthTones } from './health.ts'
import { SourceFacts } from './source-facts.tsx'
import styles from './source-page.module.css'
import { SourceProblems } from './source-problems.tsx'

/** A source's own page: what it is, how it is, what it says of itself, and what is wrong with it. */
export function SourcePage({ source }: { readonly source: SourceState }) {
  const { source: limited } = usePlace()
  const go = useGo()
  const { diff } = useBackend()
  const only = limited === source.name
  return (
    <section className={styles.page} aria-label="Source">
      <div className={styles.head}>
        <h1 className={styles.name}>{source.name}</h1>
        <Badge tone={healthTones[source.status]}>{source.status}</Badge>
        <span className="grow" />
        {source.toolCount > 0 && (
          <Button aria-pressed={only} onClick={() => go({ source: only ? undefined : source.name })}>
            {only ? 'Show all sources' : 'Show only its tools'}
          </Button>
        )}
        {diff && source.status !== 'failed' && (
          // As the newer side: the inputs that broke can then be tried in it.
          <Link to="/diff" search={{ b: source.name }} className={buttonStyles.button}>
            <GitCompareArrows size={14} aria-hidden /> Compare with…
          </Link>
        )}
        <Refresh name={source.name} />
      </div>
      {source.error && <ErrorNote {...source.error} />}
      <SourceFacts source={source} />
      <SourceProblems problems={source.problems} />
      <Said title="Calling convention" text={source.callingConvention} />
      <Said title="Instructions" text={source.instructions} />
    </section>
  )
}

function Refresh({ name }: { readonly name: string }) {
  const { refreshSource } = useBackend()
  const client = useQueryClient()
  const refreshing = useMutation({
    mutationFn: async () => refreshSource?.(name),
    onSettled: () => invalidateCatalog(client),
  })
  if (!refreshSource) return null
  return (
    <>
      <Button onClick={() => refreshing.mutate()} disabled={refreshing.isPending}>
        <RefreshCw size={14} aria-hidden /> {refreshing.isPending ? 'Reading…' : 'Read again'}
      </Button>
      {refreshing.error && <ErrorNote {...appErrorShape(refreshing.error)} />}
    </>
  )
}

/** A text of the source's own, to the letter. */
function Said({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  if (!text) return null
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys */}
      <pre className={styles.said} tabIndex={0}>
        {text.slice(0, 100_000)}
      </pre>
    </section>
  )
}
