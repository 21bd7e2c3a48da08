import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { SourceState } from '../../core/api/sources.ts'
import { useBackend } from '../api/backend.ts'
import { buildRowsQuery, invalidate } from '../api/queries.ts'
import { useWorkbenchNavigate } from '../navigation.ts'

/** Rows of a source that are searched for its first tool: the tool is below the source and its groups. */
const maxRows = 50

/**
 * Returns a function that opens a source that was just added: its first tool, which the tree then shows, or its page if
 * it has no tools. Search and filters, which may hide the source, are cleared.
 */
export function useOpenSource() {
  const backend = useBackend()
  const client = useQueryClient()
  const go = useWorkbenchNavigate()
  return useCallback(
    async ({ name }: Pick<SourceState, 'name'>) => {
      const visible = { q: undefined, filter: undefined, source: undefined, tab: undefined }
      const query = { q: '', source: [name], filter: [], collapsed: '[]', offset: 0, limit: maxRows }
      // The tree can only scroll to rows that it has.
      await invalidate(client, 'catalog')
      const page = await client.fetchQuery(buildRowsQuery(backend, query)).catch(() => undefined)
      const first = page?.rows.find(row => row.kind === 'tool')?.tool.ref
      go({ ...visible, tool: first, about: first === undefined ? name : undefined })
    },
    [backend, client, go],
  )
}
