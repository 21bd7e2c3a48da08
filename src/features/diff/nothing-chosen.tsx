import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import notes from '../../ui/notes.module.css'
import styles from './diff-page.module.css'
import { useDiffSearch } from './diff-search.ts'
import { choicesOf, maxVersions, sourceOf } from './version-choices.ts'

/** Says what can be compared, and offers versions of the source that is chosen, then the sources that are open. */
export function NothingChosen({ canDrop }: { readonly canDrop: boolean }) {
  const [{ a, b }, go] = useDiffSearch()
  const { data: sources = [] } = useSources()
  const missing = a === undefined ? 'a' : 'b'
  const other = a ?? b ?? ''
  const own = sourceOf(sources, other)
  const side = missing === 'a' ? 'Before:' : 'After:'
  const offered = sources.filter(source => source !== own && source.status !== 'stopped').slice(0, 12)
  return (
    <div className={styles.start}>
      <h2>Compare two versions</h2>
      <p>Compatible changes are proved; breaking ones come with an input that fails.</p>
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
          {canDrop && '; or drop one or two files here'}
        </dd>
        <dt>File at a Git revision</dt>
        <dd>
          <code>git:HEAD~3:tools.json</code>
        </dd>
      </dl>
    </div>
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
