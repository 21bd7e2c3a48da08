/** Calls a tool through a bridge, and reads its answer, in which success and failure can look the same. */

import { toErrorMessage } from '../../core/errors.ts'
import { isObject, parseJson, withoutUndefined } from '../../core/json/json.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { fetchAddress } from '../fetch/fetch-address.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import { cancelledHint, failure } from '../sources/run-failure.ts'
import type { CallArguments, CallEvents } from '../sources/source.ts'
import { emitExchange } from '../wire/emit.ts'
import { rememberContent } from './exact-json.ts'
import { readResult } from './read-result.ts'

/** Toolscope's bridge sets this header on every answer; it then returns whole results as JSON with the right status. */
export const bridgeHeader = 'toolscope-bridge'

const uncertain = 'This bridge cannot reliably report whether a call failed.'

/**
 * Requests JSON, which other bridges ignore: the header of each answer decides how it is read. Yields one result or
 * failure.
 *
 * @param parts `closing` aborts if the source is closed
 */
export async function* callBridge(
  base: string,
  [tool, input, { signal, timeoutMs, callId }]: CallArguments,
  { closing, wire }: { readonly closing?: AbortSignal; readonly wire?: WireSink | undefined } = {},
): CallEvents {
  const signals = closing === undefined ? [signal] : [signal, closing]
  try {
    yield await runWithLimit(signals, timeoutMs, async stop => {
      const url = `${base}/tools/${encodeURIComponent(tool.name)}`
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/plain;q=0.9, */*;q=0.8',
      }
      const request = { method: 'POST', url, headers, text: input.text, callId }
      const answer = await emitExchange(wire, request, async () => {
        const response = await fetchAddress(url, { method: 'POST', body: input.text, signal: stop, headers })
        return { response, text: await response.text() }
      })
      const { status, headers: answered } = answer.response
      return readBridgeAnswer(answer.text, status, Object.fromEntries(answered), tool.name)
    })
  } catch (thrown) {
    if (signals.some(each => each.aborted))
      yield failure('cancelled', 'Cancelled. What the bridge has begun may go on.', cancelledHint)
    else if (isTimeLimit(thrown)) yield failure('timeout', 'What the bridge has begun may go on.')
    else yield failure('network', toErrorMessage(thrown), 'Is the bridge still running?')
  }
}

/** @param headers with names in lower case */
export function readBridgeAnswer(
  text: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  tool: string,
): SessionEvent {
  const isPrecise = Object.hasOwn(headers, bridgeHeader)
  return isPrecise ? readPrecise(text, status) : readText(text, status, tool)
}

function readText(text: string, status: number, name: string): SessionEvent {
  const resultFields = { content: text === '' ? [] : [{ type: 'text', text } as const] }
  if (status >= 400) {
    const code = /"code"\s*:\s*(-?\d+)/.exec(text)?.[1]
    return {
      ...failure('tool-error', `The bridge answered HTTP ${status}${code ? ` with MCP error ${code}` : ''}.`),
      ...resultFields,
      hint: 'The bridge does not pass the message on: check its log. It also answers this if a call takes longer than 60 s.',
    }
  }
  if (text.startsWith('Tool Error\n')) {
    const said = text.slice('Tool Error\n'.length)
    const message = said.split('\n')[0]?.slice(0, 300) || 'The tool says that it failed.'
    return {
      ...failure('tool-error', message),
      content: [{ type: 'text', text: said }],
      isError: true,
      note: uncertain,
    }
  }
  if (text === `Not found tool '${name}'`)
    return {
      ...failure('not-found', 'The bridge does not know this tool, or no longer.', 'Refresh the source.'),
      ...resultFields,
    }
  const empty = 'An empty answer is also what a result without text looks like here.'
  const crashed = '{} is also what it answers when its server has crashed.'
  const more = text === '' ? ` ${empty}` : text === '{}' ? ` ${crashed}` : ''
  return { type: 'result', ...resultFields, note: `${uncertain}${more}` }
}

function readPrecise(text: string, status: number): SessionEvent {
  const answer = parseJson(text)
  if (answer === undefined)
    return {
      ...failure('bad-output', `The bridge answered HTTP ${status} without JSON.`),
      content: [{ type: 'text', text }],
    }
  const error = isObject(answer) ? answer.error : undefined
  if (!isObject(error)) {
    rememberContent(answer, text)
    return readResult(answer)
  }
  const message = pickText(error.message) ?? `The bridge answered HTTP ${status}.`
  const reason =
    status === 404 ? 'not-found' : status === 504 ? 'timeout' : status === 502 ? 'network' : 'tool-error'
  return {
    ...failure(reason, message),
    // Only present if the bridge answered.
    meta: { status },
    ...withoutUndefined({ hint: pickText(error.hint), stderr: pickText(error.stderr) }),
  }
}

const pickText = (value: unknown) => (typeof value === 'string' ? value : undefined)
