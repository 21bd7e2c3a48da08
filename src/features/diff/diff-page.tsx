import { useMutation, useQuery } from '@tanstack/react-query'
import { type DragEvent, type ReactNode, useDeferredValue, useRef, useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { keepDropped } from '../../api/dropped-manifests.ts'
import { diffQuery } from '../../api/queries.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { Loading } from '../../ui/spinner.tsx'
import { readTextFile } from '../../ui/text-file.ts'
import styles from './diff-page.module.css'
import { DiffResult } from './diff-result.tsx'
import { useDiffSearch } from './diff-search.ts'
import { NothingChosen } from './nothing-chosen.tsx'
import type { OpenTool } from './sections.ts'
import { SideFields } from './side-fields.tsx'
import { texts } from './texts.ts'

const comparing = <Loading>{texts.comparing}</Loading>

const inMiddle = (note: ReactNode) => (
  <div className="padded" style={{ width: '100%', maxWidth: 760, margin: '0 auto' }}>
    {note}
  </div>
)

const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')

/** Compares two manifests: what changed, which callers it breaks, and the proof. */
export function DiffPage({ onOpen }: { readonly onOpen: OpenTool }) {
  const backend = useBackend()
  const [{ a, b, strict }, go] = useDiffSearch()
  const [isOver, setIsOver] = useState(false)
  const focusWanted = useRef(false)
  const chosen = a !== undefined && b !== undefined && backend.has('GET /api/diff')
  const query = useQuery({ ...diffQuery(backend, a ?? '', b ?? '', strict === '1'), enabled: chosen })
  // Thousands of changes are drawn while typing and clicking go on.
  const answer = useDeferredValue(query.data)
  const canDrop = backend.has('POST /api/diff')
  const choose = (next: { readonly a?: string | undefined; readonly b?: string | undefined }) => {
    reading.reset()
    go({ ...next, tool: undefined, schemas: undefined })
  }
  const compare = (nextA: string, nextB: string) => {
    focusWanted.current = true
    if (nextA === a && nextB === b) void query.refetch()
    else choose({ a: nextA || undefined, b: nextB || undefined })
  }
  const swap = () => choose({ a: b, b: a })
  useShortcut('swap-sides', swap, a !== undefined || b !== undefined)

  const reading = useMutation({
    mutationFn: ({ files }: { files: readonly File[]; side?: 'a' | 'b' }) =>
      Promise.all(files.map(readTextFile)),
    onSuccess: (read, { side = a === undefined ? 'a' : 'b' }) => {
      const [first, second] = read.map(keepDropped)
      focusWanted.current = true
      if (second !== undefined) choose({ a: first, b: second })
      else if (first !== undefined) choose({ [side]: first })
    },
  })
  const compareFiles = (files: readonly File[], side?: 'a' | 'b') =>
    reading.mutate({
      // Of two files the older one was before.
      files: files.slice(0, 2).toSorted((left, right) => left.lastModified - right.lastModified),
      ...(side && { side }),
    })
  const body = (): ReactNode => {
    if (!backend.has('GET /api/diff')) return <EmptyState title="Diff is not available here" />
    if (!chosen) return <NothingChosen onCompare={compare} onFiles={canDrop ? compareFiles : undefined} />
    if (query.isFetching && !query.data) return comparing
    if (query.error && !query.data) return inMiddle(<ErrorNote error={query.error} />)
    if (!answer) return comparing
    // Another pair is another list: nothing of the one before may stay.
    return (
      <>
        {query.error &&
          inMiddle(
            <ErrorNote
              error={query.error}
              title="This could not be compared again: the report below is from before"
            />,
          )}
        <DiffResult key={JSON.stringify([a, b])} answer={answer} onOpen={onOpen} focusWanted={focusWanted} />
      </>
    )
  }
  return (
    <section
      className={join('pane', styles.page)}
      aria-label="Diff"
      data-over={isOver || undefined}
      onDragOver={event => {
        if (!canDrop || !hasFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        setIsOver(true)
      }}
      onDragLeave={event => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false)
      }}
      onDrop={event => {
        if (!canDrop || !hasFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        setIsOver(false)
        compareFiles([...event.dataTransfer.files])
      }}
    >
      <h1 className="visually-hidden">Diff of two manifests</h1>
      <SideFields
        a={a ?? ''}
        b={b ?? ''}
        comparing={chosen && query.isFetching}
        strict={strict === '1'}
        onStrict={next => go({ strict: next ? '1' : undefined })}
        onSwap={swap}
        onFiles={canDrop ? compareFiles : undefined}
        onCompare={compare}
      />
      {reading.isError ? inMiddle(<ErrorNote error={reading.error} />) : body()}
    </section>
  )
}
