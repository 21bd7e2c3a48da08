import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue } from 'react'
import { useBackend } from '../../api/backend.ts'
import { diffQuery } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { useShortcut } from '../../ui/shortcuts/shortcut-handlers.ts'
import { Loading } from '../../ui/spinner.tsx'
import type { TryWitness } from './change-list.tsx'
import { DiffResult } from './diff-result.tsx'
import { useDiffSearch } from './diff-search.ts'
import { NothingChosen } from './nothing-chosen.tsx'
import { SideFields } from './side-fields.tsx'

const comparing = <Loading>Comparing…</Loading>

/** Compares two manifests: what changed, which callers it breaks, and the proof. */
export function DiffPage({ onTry }: { readonly onTry: TryWitness }) {
  const backend = useBackend()
  const [{ a, b }, go] = useDiffSearch()
  const chosen = a !== undefined && b !== undefined && backend.has('GET /api/diff')
  const query = useQuery({ ...diffQuery(backend, a ?? '', b ?? ''), enabled: chosen })
  // Thousands of changes are drawn while typing and clicking go on.
  const answer = useDeferredValue(query.data)
  const swap = () => go({ a: b, b: a })
  useShortcut('swap-sides', swap, a !== undefined || b !== undefined)
  const body = (): ReactNode => {
    if (!backend.has('GET /api/diff')) return <EmptyState title="Manifests cannot be compared here" />
    if (!chosen) return <NothingChosen />
    if (query.isFetching && !query.data) return comparing
    if (query.error && !query.data)
      return (
        <div className="padded" style={{ width: '100%', maxWidth: 760, margin: '0 auto' }}>
          <ErrorNote error={query.error} />
        </div>
      )
    if (!answer) return comparing
    // Another pair is another list: nothing of the one before may stay.
    return <DiffResult key={JSON.stringify([a, b])} answer={answer} onTry={onTry} />
  }
  return (
    <section className="pane" aria-label="Diff">
      <h1 className="visually-hidden">Diff of two manifests</h1>
      <SideFields
        a={a ?? ''}
        b={b ?? ''}
        comparing={chosen && query.isFetching}
        onSwap={swap}
        onCompare={(nextA, nextB) => {
          if (nextA === a && nextB === b) void query.refetch()
          else go({ a: nextA || undefined, b: nextB || undefined, tool: undefined, schemas: undefined })
        }}
      />
      {body()}
    </section>
  )
}
