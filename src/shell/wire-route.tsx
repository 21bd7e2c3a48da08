import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ToolDetail } from '../../core/api/catalog.ts'
import { toAppError } from '../../core/errors.ts'
import { useBackend } from '../api/backend.ts'
import { toolQuery } from '../api/queries.ts'
import { startCall } from '../features/result/invocation-store.ts'
import { ConfirmCall, mustConfirm } from '../features/tool/confirm-call.tsx'
import { limitOptions } from '../features/tool/time-limit.tsx'
import type { WireCall } from '../features/wire/send-again.tsx'
import { WirePage } from '../features/wire/wire-page.tsx'
import { EmptyState } from '../ui/notes.tsx'

/** The page at `/wire`. It calls tools as their forms do. */
export function WireRoute() {
  const backend = useBackend()
  const client = useQueryClient()
  const [unconfirmed, setUnconfirmed] = useState<{ tool: ToolDetail; inputText: string }>()
  const callTool = ({ ref, definition }: ToolDetail, inputText: string) =>
    void startCall(backend, { ref, inputText, options: { ...limitOptions(ref), definition } })
  const onCall = async ({ source, tool: name, inputText }: WireCall): Promise<boolean> => {
    try {
      const tool = await client.fetchQuery(toolQuery(backend, `${source}/${name}`))
      if (mustConfirm(tool)) setUnconfirmed({ tool, inputText })
      else callTool(tool, inputText)
      return true
    } catch (thrown) {
      if (toAppError(thrown).code === 'tool-not-found') return false
      throw thrown
    }
  }
  if (!backend.has('GET /api/sources/{name}/wire'))
    return <EmptyState title="The wire is not available here" />
  return (
    <>
      <WirePage onCall={onCall} />
      {unconfirmed && (
        <ConfirmCall
          {...unconfirmed}
          onClose={() => setUnconfirmed(undefined)}
          onConfirm={inputText => {
            setUnconfirmed(undefined)
            callTool(unconfirmed.tool, inputText)
          }}
        />
      )}
    </>
  )
}
