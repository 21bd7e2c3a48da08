import { useBackend } from '../../api/backend.ts'
import { useStore } from '../../ui/store.ts'
import { callTool, cancelCall, invocationOf } from './invocation-store.ts'

/**
 * The last call of one tool, and the ways to start and end it.
 * @param variables values of the agent's variables that go with each call
 */
export function useInvocation(ref: string, variables?: Readonly<Record<string, string>>) {
  const backend = useBackend()
  const invocation = useStore(invocationOf(ref))
  // callTool turns every failure into an ending.
  const call = (inputText: string) =>
    void callTool(backend, { ref, inputText, ...(variables && { options: { variables } }) })
  return {
    invocation,
    running: invocation !== undefined && !invocation.ending,
    /** Absent where tools cannot be called at all. */
    call: backend.has('POST /api/invocations') ? call : undefined,
    cancel: () => cancelCall(ref),
  }
}
