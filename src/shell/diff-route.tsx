import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useBackend } from '../api/backend.ts'
import { toolQuery } from '../api/queries.ts'
import { DiffPage } from '../features/diff/diff-page.tsx'
import { useDiffSearch } from '../features/diff/diff-search.ts'
import type { OpenTool } from '../features/diff/report-sections.ts'
import { markLooked } from '../features/versions/changed-sources.tsx'
import { useWorkbenchNavigate } from '../navigation.ts'
import { fillForm } from './open-call.ts'

/** The page at `/diff`, with links to the workbench. */
export function DiffRoute() {
  const backend = useBackend()
  const client = useQueryClient()
  const go = useWorkbenchNavigate()
  const [{ b }] = useDiffSearch()
  useEffect(() => markLooked(b), [b])
  const open: OpenTool = async (ref, inputText) => {
    if (inputText !== undefined) {
      const tool = await client.fetchQuery(toolQuery(backend, ref))
      // The input becomes the draft of the form; only the user makes the call.
      fillForm(tool, { text: inputText }, `The input that shows the change replaced yours in ${tool.name}.`)
    }
    go({ tool: ref, tab: undefined, about: undefined })
  }
  return <DiffPage onOpen={open} />
}
