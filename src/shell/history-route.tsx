import { useMemo, useState } from 'react'
import type { ToolDetail } from '../../core/api/catalog.ts'
import type { StoredInvocation } from '../../core/api/history.ts'
import type { SurfaceKind } from '../../core/tool/tool.ts'
import { useBackend } from '../api/backend.ts'
import type { HistoryActions } from '../features/history/call-detail.tsx'
import { HistoryPage } from '../features/history/history-page.tsx'
import { storedInvocation } from '../features/result/invocation-state.ts'
import { startCall } from '../features/result/invocation-store.ts'
import { ResultPane } from '../features/result/result-pane.tsx'
import { ConfirmCall, mustConfirm } from '../features/tool/confirm-call.tsx'
import { limitOptions } from '../features/tool/time-limit.tsx'
import { WireLink } from '../features/wire/wire-link.tsx'
import { useWorkbenchNavigate } from '../navigation.ts'
import { EmptyState } from '../ui/notes.tsx'
import { useFillForm } from './open-call.ts'

/** The page at `/history`, with links to the workbench and the viewers of results. */
export function HistoryRoute() {
  const backend = useBackend()
  const go = useWorkbenchNavigate()
  const [unconfirmed, setUnconfirmed] = useState<{ tool: ToolDetail; call: StoredInvocation }>()
  const openTool = (ref: string) => go({ tool: ref, tab: undefined, about: undefined })
  const fillForm = useFillForm()
  const callAndOpen = ({ ref, definition }: ToolDetail, call: StoredInvocation) => {
    const variables = toSentVariables(call)
    const { inputText } = call
    const options = { ...limitOptions(ref), definition, ...(variables && { variables }) }
    void startCall(backend, { ref, inputText, options })
    openTool(ref)
  }
  const actions: HistoryActions = {
    result: call => <StoredResult key={call.id} call={call} />,
    wireLink: call => <WireLink key={call.id} source={call.source} callId={call.id} />,
    getTaskResult: async (call, { taskId }) => {
      const { ref } = await fillForm(call)
      void startCall(backend, { ref, inputText: call.inputText, options: { ...limitOptions(ref), taskId } })
      openTool(ref)
    },
    edit: async call => {
      const { ref } = await fillForm(call)
      openTool(ref)
    },
    repeat: async call => {
      const tool = await fillForm(call)
      if (!mustConfirm(tool)) callAndOpen(tool, call)
      else setUnconfirmed({ tool, call })
    },
  }
  if (!backend.has('GET /api/history')) return <EmptyState title="History is not available here" />
  return (
    <>
      <HistoryPage actions={actions} />
      {unconfirmed && (
        <ConfirmCall
          tool={unconfirmed.tool}
          inputText={unconfirmed.call.inputText}
          variables={toSentVariables(unconfirmed.call)}
          onClose={() => setUnconfirmed(undefined)}
          onConfirm={() => {
            setUnconfirmed(undefined)
            callAndOpen(unconfirmed.tool, unconfirmed.call)
          }}
        />
      )}
    </>
  )
}

/**
 * Returns the agent's variables of the call; undefined if there are none. A call with a missing one cannot be repeated.
 */
function toSentVariables({ variables }: StoredInvocation): Readonly<Record<string, string>> | undefined {
  return (
    variables && Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, value ?? '']))
  )
}

/** The stored result of an earlier call, shown like a new one. */
function StoredResult({ call }: { readonly call: StoredInvocation }) {
  const invocation = useMemo(() => storedInvocation(call), [call])
  if (call.outcome === 'unfinished')
    return (
      <EmptyState title="No end was recorded">
        The call still runs, or Toolscope was killed before it ended.
      </EmptyState>
    )
  // A tool may be called `resources/list`, so the kind is read only from the ref of a prompt or a resource.
  const isTool = call.ref.startsWith(`${call.source}/${call.tool}`)
  const kind = /^[^/]+\/(prompt|resource|template)s\//.exec(isTool ? '' : call.ref)?.[1]
  return (
    <ResultPane
      invocation={invocation}
      tool={{ name: call.tool, ...(kind !== undefined && { kind: kind as SurfaceKind }) }}
    />
  )
}
