import { appErrorShape } from '../api/request.ts'
import { useSources } from '../api/use-sources.ts'
import { FirstRun } from '../features/sources/first-run.tsx'
import { useWorkbenchSearch } from '../navigation.ts'
import { ErrorNote } from '../ui/error-note.tsx'
import { Workbench } from './workbench.tsx'

/** The page at `/`: the workbench, or what to do while there is no source. */
export function WorkbenchPage() {
  const { tool, about, agent } = useWorkbenchSearch()
  const { data: sources, error } = useSources()
  if (error && !sources) {
    return (
      <div style={{ padding: 16, maxWidth: 640 }}>
        <ErrorNote {...appErrorShape(error)} />
      </div>
    )
  }
  if (sources?.length === 0) return <FirstRun />
  return (
    <>
      {/* A tool, a source and an agent bring a heading of their own. */}
      {tool === undefined && about === undefined && agent === undefined && (
        <h1 className="visually-hidden">Tools</h1>
      )}
      <Workbench />
    </>
  )
}
