/** Calls an entry with `mcp` through the bridge that serves it, where that runs on this machine. */
import type { FailureReason, SessionEvent } from '../../../core/invocation.ts'
import type { CallInput, CallOptions } from '../source.ts'

const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** Where the bridge of this machine is: `MCP_BRIDGE_PORT` of the environment or of `.env`, else 8808. */
export function bridgeAddress(environment: NodeJS.ProcessEnv): string {
  const port = environment.MCP_BRIDGE_PORT ?? ''
  return `http://127.0.0.1:${/^\d{1,5}$/.test(port) ? port : '8808'}`
}

export async function* callBridge(
  address: string,
  target: { readonly name: string; readonly server: string },
  input: CallInput,
  options: CallOptions,
): AsyncGenerator<SessionEvent> {
  const timeout = AbortSignal.timeout(options.timeoutMs)
  try {
    const response = await fetch(`${address}/tools/${encodeURIComponent(target.name)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/plain, */*;q=0.5' },
      body: input.text,
      redirect: 'error',
      signal: AbortSignal.any([options.signal, timeout]),
    })
    yield readAnswer(response.status, await readBounded(response), target.name)
  } catch (thrown) {
    if (options.signal.aborted) yield failure('cancelled', 'Cancelled.', 'Call again when you are ready.')
    else if (timeout.aborted)
      yield failure(
        'timeout',
        'The bridge did not answer within the time limit.',
        'Raise the limit for this call. The bridge may still be at work on it.',
      )
    else if (thrown instanceof TooLarge)
      yield failure('too-large', 'The bridge answered with more than 16 MiB.', 'Ask the tool for less.')
    else
      yield failure(
        'network',
        `Not callable: the tool lives on the MCP server "${target.server}", and no bridge answers at ${address} (${causeOf(thrown)}).`,
        'Start the bridge: `toolscope bridge mcp.json`, or `argc mcp start` in the tree. MCP_BRIDGE_PORT names another port.',
      )
  }
}

/** A bridge has few words: 5xx is an error, two texts mean failure, and the rest has to pass for success. */
function readAnswer(status: number, text: string, name: string): SessionEvent {
  const kept = {
    content: text === '' ? [] : [{ type: 'text' as const, text }],
    ...(text === '' ? {} : { raw: text }),
  }
  if (text === `Not found tool '${name}'`)
    return {
      ...failure(
        'not-found',
        `The bridge does not know "${name}".`,
        'functions.json may be old: merge the bridge’s tools again.',
      ),
      ...kept,
    }
  if (status >= 400)
    return {
      ...failure(
        'tool-error',
        `The bridge answered with status ${status}.`,
        'The log of the bridge says why.',
      ),
      ...kept,
    }
  if (text.startsWith('Tool Error\n'))
    return {
      ...failure(
        'tool-error',
        text.split('\n')[1]?.slice(0, 300) || 'The tool failed.',
        'The tool itself says so.',
      ),
      ...kept,
      isError: true,
    }
  const json = parseJson(text)
  return {
    type: 'result',
    ...kept,
    ...(json === undefined ? {} : { content: [], structuredContent: json }),
    note: 'Through the bridge, which cannot tell success from failure for certain.',
  }
}

class TooLarge extends Error {}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) throw new TooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function failure(reason: FailureReason, message: string, hint: string) {
  return { type: 'failure' as const, reason, content: [], message, hint }
}

function causeOf(thrown: unknown): string {
  const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return typeof code === 'string' ? code : cause instanceof Error ? cause.message : String(cause)
}

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    // A lone number or word is more likely text.
    return typeof value === 'object' ? value : undefined
  } catch {
    return undefined
  }
}
