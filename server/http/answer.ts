/** Maps the ending of a call to the bridge's answer: status, type and body. Independent of sockets. */
import type { Ending, SessionEnding } from '../../core/tool/invocation.ts'
import { outcomes } from '../../core/tool/outcome.ts'
import { formatBlocks, formatStructured } from '../../core/tool/result-value.ts'

export interface HttpAnswer {
  readonly status: number
  readonly type: 'text' | 'json'
  readonly body: string
}

/** The format that the caller accepts, by its Accept header: the last two are streams of events. */
export type AcceptedFormat = 'text' | 'json' | StreamFormat
export type StreamFormat = 'lines' | 'server-sent'

export function wantedBy(accept = ''): AcceptedFormat {
  if (accept.includes('application/x-ndjson')) return 'lines'
  if (accept.includes('text/event-stream')) return 'server-sent'
  return accept.includes('application/json') ? 'json' : 'text'
}

export const createTextAnswer = (body: string, status = 200): HttpAnswer => ({ status, type: 'text', body })

export const createJsonAnswer = (value: unknown, status = 200): HttpAnswer => ({
  status,
  type: 'json',
  body: JSON.stringify(value),
})

export const isStream = (wanted: AcceptedFormat): wanted is StreamFormat =>
  wanted === 'lines' || wanted === 'server-sent'

/** Returns the answer to a call that is refused before it starts. */
export function refuse(wanted: AcceptedFormat, status: number, message: string): HttpAnswer {
  return wanted === 'text'
    ? createTextAnswer(`${message}\n`, status)
    : createJsonAnswer({ error: { message } }, status)
}

export function formatAnswer(ending: SessionEnding, wanted: AcceptedFormat): HttpAnswer {
  return wanted === 'text' ? asText(ending) : asJson(ending)
}

function asText(ending: SessionEnding): HttpAnswer {
  if (ending.type === 'result') return createTextAnswer(toPlainText(ending))
  if (ending.isError === true) return createTextAnswer(`Tool Error\n${toPlainText(ending)}`)
  return createTextAnswer(
    `${ending.message}${ending.hint ? `\n${ending.hint}` : ''}\n`,
    outcomes[ending.reason].httpStatus,
  )
}

function asJson(ending: SessionEnding): HttpAnswer {
  if (ending.type === 'failure' && ending.isError !== true) {
    const { message, hint, reason, stderr } = ending
    return createJsonAnswer({ error: { message, reason, hint, stderr } }, outcomes[ending.reason].httpStatus)
  }
  const { content, structuredContent, isError = false, meta } = ending
  const whole = createJsonAnswer({ content, isError, ...(meta ? { _meta: meta } : {}) })
  if (structuredContent === undefined) return whole
  return { ...whole, body: `${whole.body.slice(0, -1)},"structuredContent":${formatStructured(ending)}}` }
}

/**
 * Returns a result as plain text: the blocks joined by line breaks, or the structured content as JSON if there are no
 * blocks.
 */
function toPlainText(ending: Ending): string {
  if (ending.content.length === 0 && ending.structuredContent !== undefined) return formatStructured(ending)
  return formatBlocks(ending.content)
}
