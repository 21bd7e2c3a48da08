import { useBackend } from '../../api/backend.ts'
import { appErrorShape } from '../../api/request.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import styles from './source-versions.module.css'
import { Timeline } from './timeline.tsx'
import { useVersions } from './use-versions.ts'

/** On a source's page: how its manifest changed over time. Nothing where no version is known. */
export function SourceVersions({ source }: { readonly source: string }) {
  const { sourceVersions } = useBackend()
  const { list, error, showMore } = useVersions(source)
  if (!sourceVersions || (!error && !list?.versions.length)) return null
  return (
    <section className={styles.section} aria-label="Versions">
      <h2>Versions</h2>
      {error && <ErrorNote {...appErrorShape(error)} />}
      {list && <Timeline label={`Versions of ${source}`} source={source} list={list} onMore={showMore} />}
    </section>
  )
}
