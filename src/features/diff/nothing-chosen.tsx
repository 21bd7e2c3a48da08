import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import notes from '../../ui/notes.module.css'
import styles from './diff-page.module.css'
import { useDiffSearch } from './diff-search.ts'
import { texts } from './texts.ts'
import { choicesOf, maxVersions, sourceOf } from './version-choices.ts'

/** Says what can be compared, and offers versions of the source that is chosen, then the sources that are open. */
export function NothingChosen({ canDrop }: { readonly canDrop: boolean }) {
  const [{ a, b }, go] = useDiffSearch()
  const { data: sources = [] } = useSources()
  const missing = a === undefined ? 'a' : 'b'
  const other = a ?? b ?? ''
  const own = sourceOf(sources, other)
  const side = missing === 'a' ? texts.beforeSide : texts.afterSide
  const offered = sources.filter(source => source !== own && source.status !== 'stopped').slice(0, 12)
  return (
    <div className={styles.start}>
      <h2>{texts.compareTwoVersions}</h2>
      <p>{texts.whatComparisonGives}</p>
      <OwnVersions other={other} side={side} onPick={reference => go({ [missing]: reference })} />
      {offered.length > 0 && (
        <div className="row wrap">
          <span className="muted">{own ? texts.anotherSource : side}</span>
          {offered.map(source => (
            <Button key={source.name} onClick={() => go({ [missing]: source.name })}>
              {source.name}
            </Button>
          ))}
        </div>
      )}
      <p>{texts.eachSideIsOneOfThese}</p>
      <dl className={notes.ways}>
        <dt>{texts.anOpenSource}</dt>
        <dd>{texts.anOpenSourceNote}</dd>
        <dt>{texts.aVersion}</dt>
        <dd>
          <code>acme@3</code>, <code>acme@previous</code>, <code>acme@2026-11-21</code>
          {texts.orByLabel}
        </dd>
        <dt>{texts.aManifestFile}</dt>
        <dd>
          <code>old/tools.json</code>
          {texts.manifestFormats} <code>--llms</code> {texts.manifestFileNote(canDrop)}
        </dd>
        <dt>{texts.fileAtGitRevision}</dt>
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
