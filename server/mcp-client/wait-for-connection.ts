/** A call waits for the connection to its server within its own time limit. */
import { toAppError } from '../../core/errors.ts'
import { type FailureEvent, failure } from '../sources/run-failure.ts'
import type { CallOptions } from '../sources/source.ts'
import { stopped } from './call-tool.ts'
import type { McpConnection } from './mcp-connection.ts'

/** Waits for a connection; resolves to a failure if the call is cancelled or times out first. */
export async function waitForConnection(
  connection: Promise<McpConnection>,
  { signal, timeoutMs }: CallOptions,
  waitedMs: number,
): Promise<McpConnection | FailureEvent> {
  let stop: (why: 'cancelled' | 'timeout') => void = () => {}
  const isStopped = new Promise<'cancelled' | 'timeout'>(resolve => {
    stop = resolve
  })
  const onAbort = () => stop('cancelled')
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(() => stop('timeout'), Math.max(1, timeoutMs - waitedMs))
  try {
    const first = await Promise.race([connection, isStopped])
    return typeof first === 'string' ? stopped(first, timeoutMs) : first
  } catch (thrown) {
    const { code, detail, hint, output } = toAppError(thrown).toShape()
    if (code === 'sign-in-needed') return failure(code, detail, hint)
    const reason = code === 'source-not-found' || code === 'source-not-runnable' ? 'spawn' : 'network'
    const failed = failure(reason, `The server could not be reached: ${detail}`, hint)
    return output === undefined ? failed : { ...failed, stderr: output }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
