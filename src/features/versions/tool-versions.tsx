import type { ToolDetail } from '../../../core/api/api.ts'
import { appErrorShape } from '../../api/request.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Timeline } from './timeline.tsx'
import styles from './tool-versions.module.css'
import { useVersions } from './use-versions.ts'

/** A tool's tab: the versions of its source that touched it. */
export function ToolVersions({ tool }: { readonly tool: ToolDetail }) {
  const { list, error, showMore } = useVersions(tool.source, tool.ref)
  if (error)
    return (
      <div className={styles.body}>
        <ErrorNote {...appErrorShape(error)} />
      </div>
    )
  if (!list)
    return (
      <div className={styles.body} role="status">
        <Spinner /> Looking for versions…
      </div>
    )
  if (list.versions.length === 0)
    return (
      <EmptyState title="No version of this tool is known yet">
        One is kept whenever what the source lists has changed.
      </EmptyState>
    )
  return (
    <div className={styles.body}>
      <Timeline
        label={`Versions of ${tool.name}`}
        source={tool.source}
        list={list}
        tool={tool.name}
        onMore={showMore}
      />
    </div>
  )
}
