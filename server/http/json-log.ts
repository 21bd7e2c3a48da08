/** The log of a server as lines of JSON, by pino without its worker threads. */
import type { Context } from 'hono'
import { plainLine } from '../../core/text/plain-text.ts'
import { decodePercents } from '../../core/text/uri.ts'
import { shorten } from '../../core/text/wording.ts'
import { maskText } from '../../core/tool/mask.ts'
import { readAnsweredError } from './error-answer.ts'
import { type AnsweredRequest, readRequestId } from './server-activity.ts'

const maxPathCharacters = 300
const maxDetailCharacters = 2_000

export interface JsonLog {
  /** Logs what the program says to its user. */
  say(line: string): void
  /** Logs an audit line: a JSON object. */
  audit(line: string): void
  /** Logs a request of the API that is answered; 5xx as an error. */
  request(answered: AnsweredRequest): void
  /** Logs a step in the life of the server: `start`, `drain`, `stop`. */
  step(event: 'start' | 'drain' | 'stop', facts: Readonly<Record<string, string | number | undefined>>): void
}

/** @param write receives each line, without a line break */
export async function createJsonLog(write: (line: string) => void): Promise<JsonLog> {
  // A chunk of packages only is written without spaces (vite.config.ts).
  const { default: pino } = await import('pino')
  const log = pino(
    {
      // The host name and the process id are in every collector's own fields; `start` has the latter.
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: level => ({ level }) },
    },
    { write: line => write(line.trimEnd()) },
  )
  const masked = (text: string, max: number) => maskText(shorten(plainLine(text), max), [])
  return {
    say: line => log.info({ event: 'message' }, masked(line, maxDetailCharacters)),
    audit(line) {
      // The gate has masked it. The time is that of the log line.
      const { time: _time, ...facts } = JSON.parse(line) as Record<string, unknown>
      log.info({ event: 'audit', ...facts })
    },
    request({ context, durationMs }) {
      const { req, res } = context
      if (!isLogged(req.path)) return
      const user = readUser(context)
      const failure = readAnsweredError(context)
      const isFault = res.status >= 500
      log[isFault ? 'error' : 'info']({
        event: 'request',
        // An escaped slash would hide the beginning of a token.
        request: `${req.method} ${masked(decodePercents(req.path), maxPathCharacters)}`,
        status: res.status,
        durationMs: Math.round(durationMs * 10) / 10,
        requestId: readRequestId(context),
        traceId: readTraceId(req.header('traceparent')),
        user: user && masked(user, maxPathCharacters),
        error: failure?.code,
        detail: isFault && failure ? masked(failure.detail, maxDetailCharacters) : undefined,
      })
    },
    step: (event, facts) => log.info({ event, ...facts }),
  }
}

/** Files of the page, and what a probe asks for every few seconds, are not logged. */
const isLogged = (path: string) => path.startsWith('/api/') && !path.startsWith('/api/health')

/** Returns the person of a request, or the user that a proxy names without signing in anyone. */
function readUser(context: Context): string | undefined {
  const { userHeader, people } = context.get('gate') ?? {}
  const named = people?.proxy === undefined && userHeader ? context.req.header(userHeader) : undefined
  return context.get('person')?.name ?? named
}

/** https://www.w3.org/TR/trace-context/#traceparent-header */
const readTraceId = (traceparent = '') => /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-/.exec(traceparent)?.[1]
