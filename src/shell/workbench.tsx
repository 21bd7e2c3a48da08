import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { useSources } from '../api/use-sources.ts'
import { Catalog } from '../features/catalog/catalog.tsx'
import { useWorkbenchNavigate, useWorkbenchSearch } from '../navigation.ts'
import { ErrorNote } from '../ui/notes.tsx'
import { SplitPane, StackedPane, useNarrow } from '../ui/split-pane.tsx'
import { useTitle } from '../ui/use-title.ts'
import { useOpenSource } from './open-source.ts'

const AgentPage = lazy(async () => ({
  default: (await import('../features/agents/agent-page.tsx')).AgentPage,
}))
const FirstRun = lazy(async () => ({
  default: (await import('../features/sources/first-run.tsx')).FirstRun,
}))
const AboutSource = lazy(async () => ({ default: (await import('./about-source.tsx')).AboutSource }))
const Home = lazy(async () => ({ default: (await import('./home.tsx')).Home }))

/** The page at `/`: the workbench, or an introduction while there are no sources. */
export function WorkbenchPage() {
  const { tool, about, agent } = useWorkbenchSearch()
  const { data: sources, error } = useSources()
  const openSource = useOpenSource()
  if (error && !sources) {
    return (
      <div style={{ padding: 16, maxWidth: 640 }}>
        <ErrorNote error={error} />
      </div>
    )
  }
  if (sources?.length === 0)
    return (
      <Suspense>
        <FirstRun onAdded={openSource} />
      </Suspense>
    )
  return (
    <>
      {/* A tool, a source and an agent have a heading of their own. */}
      {(tool ?? about ?? agent) === undefined && <h1 className="visually-hidden">Tools</h1>}
      <Workbench />
    </>
  )
}

// A constant element, so that React does not render it again with its siblings.
const catalog = <Catalog />

/** The catalog, and next to it (or instead of it, when narrow) the tool with its result or a source's page. */
function Workbench() {
  const narrow = useNarrow()
  const go = useWorkbenchNavigate()
  const { tool, about, agent } = useWorkbenchSearch()
  const isOpen = (tool ?? about ?? agent) !== undefined
  // Not lazy(): React shows the content 300 ms late after an empty pane.
  const { data: ToolAndResult } = useQuery({
    queryKey: ['the code of an open tool'],
    queryFn: async () => (await import('./tool-and-result.tsx')).ToolAndResult,
    enabled: tool !== undefined,
    throwOnError: true,
  })
  // Each part is loaded at its first use: the first load is only the catalog.
  const work = (
    <Suspense>
      {tool !== undefined ? (
        ToolAndResult && <ToolAndResult toolRef={tool}>{narrow ? below : renderSideBySide}</ToolAndResult>
      ) : isOpen ? (
        <Page />
      ) : (
        <Home />
      )}
    </Suspense>
  )
  if (!narrow) {
    const panes = [
      { id: 'catalog', size: '22%', minSize: '220px', content: catalog },
      { id: 'work', size: '78%', minSize: '480px', content: work },
    ]
    return <SplitPane id="workbench" panes={panes} />
  }
  if (!isOpen) return catalog
  return (
    <StackedPane back="Catalog" onBack={() => go({ tool: undefined, tab: undefined, about: undefined })}>
      {work}
    </StackedPane>
  )
}

function below(tool: ReactNode, result: ReactNode | undefined) {
  return (
    <>
      {tool}
      {result}
    </>
  )
}

function renderSideBySide(tool: ReactNode, result: ReactNode | undefined) {
  if (result === undefined) return tool
  const panes = [
    { id: 'tool', size: '50%', minSize: '280px', content: tool },
    { id: 'result', size: '50%', minSize: '220px', content: result },
  ]
  return <SplitPane id="tool-and-result" panes={panes} />
}

/** The page of a source or of an agent. */
function Page() {
  const { about, agent } = useWorkbenchSearch()
  useTitle(agent ?? about)
  return agent === undefined ? <AboutSource name={about ?? ''} /> : <AgentPage id={agent} />
}
