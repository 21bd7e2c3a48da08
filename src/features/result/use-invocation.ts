import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useBackend } from '../../api/backend.ts'
import { storedCallQuery } from '../../api/history.ts'
import { useStore } from '../../ui/value-store.ts'
import { earlierInvocation, type InvocationState } from './invocation-state.ts'
import {
  cancelCall,
  findLastCallId,
  getInvocationStore,
  type PageCallRequest,
  startCall,
} from './invocation-store.ts'

/**
 * Returns the last call of one tool, with functions to start and cancel it.
 * @param options sent with each call: the values of the agent's variables, and a time limit
 */
export function useInvocation(ref: string, options: PageCallRequest['options'] = {}) {
  const backend = useBackend()
  const made = useStore(getInvocationStore(ref))
  const earlier = useEarlier(ref, made !== undefined)
  const invocation = made ?? earlier
  // callTool turns every failure into an ending.
  const call = (inputText: string, accept?: readonly string[]) =>
    void startCall(backend, {
      ref,
      inputText,
      options: { ...options, ...(accept && { accept: [...accept] }) },
    })
  return {
    invocation,
    running: invocation !== undefined && !invocation.ending,
    /** Absent if tools cannot be called at all. */
    call: backend.has('POST /api/invocations') ? call : undefined,
    cancel: () => cancelCall(ref, backend),
  }
}

/** Reads the tool's last call of an earlier visit from the history; undefined if this browser has stored none. */
function useEarlier(ref: string, isReplaced: boolean): InvocationState | undefined {
  const id = useMemo(() => findLastCallId(ref) ?? '', [ref])
  const query = storedCallQuery(useBackend(), id)
  const { data } = useQuery({ ...query, enabled: query.enabled === true && id !== '' && !isReplaced })
  return useMemo(() => data && earlierInvocation(data), [data])
}
