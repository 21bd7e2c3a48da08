import { useEffect } from 'react'
import { DiffPage } from '../features/diff/diff-page.tsx'
import { useDiffSearch } from '../features/diff/diff-search.ts'
import { markLooked } from '../features/versions/changed-sources.tsx'
import { useOpenTool } from './open-call.ts'

/** The page at `/diff`, with links to the workbench. */
export function DiffRoute() {
  const [{ b }] = useDiffSearch()
  useEffect(() => markLooked(b), [b])
  return <DiffPage onOpen={useOpenTool()} />
}
