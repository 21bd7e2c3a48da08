/** One `tools/call`: progress while it runs, then what came back, or why nothing did. */

import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import type { SessionEvent } from '../../../core/call/invocation.ts'
import { messageOf } from '../../../core/errors.ts'
import { jsonText, withoutUndefined } from '../../../core/json/json.ts'
import { depthOf } from '../../../core/json/json-text.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { earlyHints, type FailureEvent, failure } from '../run-failure.ts'
import type { CallInput, CallOptions } from '../source.ts'
import type { Connection } from './connection.ts'
import { rememberInput } from './exact-json.ts'
import { keptResult } from './keep-results.ts'
import { anything } from './lenient-client.ts'
import { readResult } from './read-result.ts'

/** The protocol's library, and many a server, read and check a message by recursion: a deeper one ends them. */
const maxInputDepth = 500

/** Calls, tells `progress` of each notification, and gives the ending. Never rejects. */
export async function callTool(
  connection: Connection,
  tool: ManifestTool,
  input: CallInput,
  { signal, timeoutMs, withoutProgress }: CallOptions,
  progress: (event: SessionEvent) => void,
): Promise<SessionEvent> {
  if (depthOf(input.text) > maxInputDepth)
    return failure(
      'too-large',
      `The input is nested more than ${maxInputDepth} levels deep; it was not sent.`,
      'An MCP server would be ended by it, and with it the calls of others.',
    )
  rememberInput(input.value, input.text)
  try {
    // An input that is no object is sent as it is: the user may want to see what the server makes of it.
    const params = { name: tool.name, arguments: input.value as Record<string, unknown> }
    // The SDK's own clock and the caller's own signal: another of each costs every call more than its message does.
    const how = {
      signal,
      timeout: timeoutMs,
      maxTotalTimeout: timeoutMs,
      ...(withoutProgress === true
        ? {}
        : { onprogress: (given: GivenProgress) => progress(progressEvent(given)) }),
    }
    const answer = usesParameterHeaders(tool)
      ? await connection.client.callTool(params, { ...how, toolDefinition: definitionOf(tool) })
      : await connection.client.request({ method: 'tools/call', params }, anything, how)
    return readResult(keptResult(answer))
  } catch (thrown) {
    return failureOf(thrown, stoppedBy(thrown, signal), connection)
  }
}

/** The SDK has one error for both ends that the caller brings about. */
function stoppedBy(thrown: unknown, signal: AbortSignal): 'cancelled' | 'timeout' | undefined {
  if (signal.aborted) return 'cancelled'
  return thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout ? 'timeout' : undefined
}

/** Without its output schema: the SDK would refuse a result that does not fit. */
function definitionOf(tool: ManifestTool) {
  return { name: tool.name, inputSchema: tool.inputSchema as { type: 'object' } }
}

interface GivenProgress {
  progress: number
  total?: number | undefined
  message?: string | undefined
}

function progressEvent(given: GivenProgress): SessionEvent {
  return {
    type: 'progress',
    progress: given.progress,
    ...withoutUndefined({ total: given.total, message: given.message }),
  }
}

export function failureOf(
  thrown: unknown,
  stopped: 'cancelled' | 'timeout' | undefined,
  connection: Pick<Connection, 'ending'> | undefined,
): FailureEvent {
  if (stopped === 'cancelled')
    return failure('cancelled', 'Cancelled; the server was told so.', earlyHints.cancelled)
  if (stopped === 'timeout')
    return failure(
      'timeout',
      'The call took longer than its time limit; the server was told to stop.',
      earlyHints.timeout,
    )
  const message = messageOf(thrown)
  if (
    thrown instanceof ProtocolError &&
    !(thrown.code === ProtocolErrorCode.InternalError && connection?.ending())
  )
    return {
      ...failure(
        isUnknownTool(thrown) ? 'not-found' : 'tool-error',
        `The server answered with error ${thrown.code}: ${message}`.slice(0, 1_000),
        thrown.code === ProtocolErrorCode.InvalidParams
          ? 'It refused the input, or no longer knows the tool: refresh the source.'
          : undefined,
      ),
      ...(thrown.data === undefined ? {} : { meta: { error: thrown.data } }),
    }
  const ending = connection?.ending()
  if (ending !== undefined)
    return failure(
      'network',
      `The server ended during the call (${ending}).`,
      'It is started again by itself; what it wrote last is shown with this call.',
    )
  if (thrown instanceof SdkHttpError)
    return {
      ...failure('network', `The server answered HTTP ${thrown.status}: ${message}`.slice(0, 500)),
      meta: { status: thrown.status },
    }
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.ConnectionClosed)
    return failure('network', 'The connection to the server ended during the call.')
  return failure('network', message.slice(0, 500))
}

const isUnknownTool = (error: ProtocolError) =>
  error.code === ProtocolErrorCode.MethodNotFound ||
  /unknown tool|tool .{0,200} not found/i.test(error.message)

const known = new WeakMap<ManifestTool, boolean>()

/** Does the tool's input schema ask for it? Asked on every call, found out once. */
export function usesParameterHeaders(tool: ManifestTool): boolean {
  const before = known.get(tool)
  if (before !== undefined) return before
  // Where a schema nests too deep to be written down, the SDK's walk would not survive it either.
  const found = jsonText(tool.inputSchema)?.includes('"x-mcp-header"') === true
  known.set(tool, found)
  return found
}
