import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import notes from '../../ui/notes.module.css'
import { ComparablePairs } from './comparable-pairs.tsx'
import { useDiffSearch } from './diff-search.ts'
import styles from './nothing-chosen.module.css'
import { choicesOf, maxVersions, sourceOf } from './version-choices.ts'

interface NothingChosenProps {
  readonly onCompare: (a: string, b: string) => void
  /** Compares files of the user's; absent where this backend cannot. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined
}

/** What can be compared now, in one click; with one side chosen, what the other one can be. */
export function NothingChosen({ onCompare, onFiles }: NothingChosenProps) {
  const [{ a, b }] = useDiffSearch()
  const isEmpty = a === undefined && b === undefined
  return (
    <div className={join('scroll', styles.page)}>
      <div className={styles.start}>
        <div>
          <h2 className={styles.title}>Compare two versions</h2>
          <p className="muted">Compatible changes are proved; breaking ones come with an input that fails.</p>
        </div>
        {isEmpty ? <ComparablePairs onCompare={onCompare} /> : <OtherSide />}
        {onFiles && <FilesToCompare isBoth={isEmpty} onFiles={onFiles} />}
        <OtherReferences />
      </div>
    </div>
  )
}

/** Versions of the source that is chosen already, then the sources that are open. */
function OtherSide() {
  const [{ a, b }, go] = useDiffSearch()
  const { data: sources = [] } = useSources()
  const missing = a === undefined ? 'a' : 'b'
  const other = a ?? b ?? ''
  const own = sourceOf(sources, other)
  const side = missing === 'a' ? 'Before:' : 'After:'
  const offered = sources.filter(source => source !== own && source.status !== 'stopped').slice(0, 12)
  return (
    <>
      <OwnVersions other={other} side={side} onPick={reference => go({ [missing]: reference })} />
      {offered.length > 0 && (
        <div className="row wrap">
          <span className="muted">{own ? 'Another source:' : side}</span>
          {offered.map(source => (
            <Button key={source.name} onClick={() => go({ [missing]: source.name })}>
              {source.name}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

interface OwnVersionsProps {
  /** The side that is chosen already, or nothing. */
  readonly other: string
  readonly side: string
  readonly onPick: (reference: string) => void
}

/** The other versions of the source that is chosen already. */
function OwnVersions({ other, side, onPick }: OwnVersionsProps) {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const own = sourceOf(sources, other)
  const query = versionsQuery(backend, own?.name ?? '', maxVersions)
  const { data } = useQuery({ ...query, enabled: query.enabled === true && own !== undefined })
  const choices = own && data ? choicesOf(own, data.versions, other) : []
  if (choices.length === 0) return null
  return (
    <div className="row wrap">
      <span className="muted">{side}</span>
      {choices.slice(0, maxVersions).map(({ reference, text }) => (
        <Button key={reference} onClick={() => onPick(reference)}>
          {text}
        </Button>
      ))}
    </div>
  )
}

interface FilesToCompareProps {
  /** Whether files are asked for both sides. */
  readonly isBoth: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** Where files are dropped; the whole page takes them, and this says so. */
function FilesToCompare({ isBoth, onFiles }: FilesToCompareProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={join('row wrap', styles.files)}>
      <p className="grow">
        {isBoth ? 'Drop two manifest files here.' : 'Drop a manifest file here for this side.'}{' '}
        <span className="muted">
          {isBoth
            ? 'The older file is “Before”. Files are compared and not kept.'
            : 'A file is compared and not kept.'}
        </span>
      </p>
      <Button onClick={() => input.current?.click()}>Choose files…</Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Files to compare"
        accept=".json,application/json"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The same files can be chosen again after they were edited.
          target.value = ''
        }}
      />
    </div>
  )
}

function OtherReferences() {
  return (
    <details className={styles.references}>
      <summary>Other references</summary>
      <p>Each side is one of these:</p>
      <dl className={notes.ways}>
        <dt>An open source</dt>
        <dd>by its name, as in the bar above</dd>
        <dt>A version of it</dt>
        <dd>
          <code>acme@3</code>, <code>acme@previous</code>, <code>acme@2026-11-21</code>, or by a label
        </dd>
        <dt>A manifest file</dt>
        <dd>
          <code>old/tools.json</code>: MCP, OpenAI, Anthropic, functions.json or an <code>--llms</code>{' '}
          manifest
        </dd>
        <dt>File at a Git revision</dt>
        <dd>
          <code>git:HEAD~3:tools.json</code>
        </dd>
      </dl>
    </details>
  )
}
