import { useCallback, useMemo } from 'react'
import { useBackend } from '../../api/backend.ts'
import { useStore } from '../../ui/store.ts'
import type { InvocationState } from './invocation.ts'
import { callTool, cancelCall, invocationOf } from './invocation-store.ts'

export interface InvocationControl {
  readonly invocation: InvocationState | undefined
  readonly running: boolean
  /** Absent where tools cannot be called at all. */
  readonly call: ((inputText: string) => void) | undefined
  readonly cancel: () => void
}

/**
 * The last call of one tool, and the ways to start and end it.
 *
 * @param variables values of the agent's variables that go with each call; keep the object while they are the same
 */
export function useInvocation(ref: string, variables?: Readonly<Record<string, string>>): InvocationControl {
  const backend = useBackend()
  const invocation = useStore(invocationOf(ref))
  const start = useCallback(
    // callTool turns every failure into an ending.
    (inputText: string) =>
      void callTool(backend, { ref, inputText, ...(variables && { options: { variables } }) }),
    [backend, ref, variables],
  )
  const cancel = useCallback(() => cancelCall(ref), [ref])
  const running = invocation !== undefined && !invocation.ending
  const call = backend.has('POST /api/invocations') ? start : undefined
  return useMemo(() => ({ invocation, running, call, cancel }), [invocation, running, call, cancel])
}
