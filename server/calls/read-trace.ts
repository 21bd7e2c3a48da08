/** The trace of a call to an MCP server (SEP-414): that of its caller, or a new one. */
import { randomBytes } from 'node:crypto'
import type { CallTrace } from '../../core/tool/invocation.ts'

interface TraceTexts {
  readonly [name: string]: unknown
  readonly traceparent?: unknown
  readonly tracestate?: unknown
  readonly baggage?: unknown
}

/** Returns the trace of a caller; undefined if it has none. Members that are not texts are left out. */
export function readTrace({ traceparent, tracestate, baggage }: TraceTexts): CallTrace | undefined {
  if (typeof traceparent !== 'string' || traceparent === '') return undefined
  return {
    traceparent,
    ...(typeof tracestate === 'string' && { tracestate }),
    ...(typeof baggage === 'string' && { baggage }),
  }
}

/** Returns a new trace, with the flag that it is recorded (https://www.w3.org/TR/trace-context/#traceparent-header). */
export function createTrace(): CallTrace {
  return { traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01` }
}

/** A pipeline that is traced names its trace in these variables (OpenTelemetry, environment variables as carriers). */
export function readEnvironmentTrace(environment: NodeJS.ProcessEnv): CallTrace | undefined {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate, BAGGAGE: baggage } = environment
  return readTrace({ traceparent, tracestate, baggage })
}
