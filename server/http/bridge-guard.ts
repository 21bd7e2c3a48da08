/**
 * Decides which requests a bridge serves: those of local programs, never those of browser pages; if a token is set,
 * only requests that carry it.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { describeForeignRequest } from './local-requests.ts'
import { bearsToken } from './security.ts'

export interface BridgeAccess {
  /** Required when the bridge serves more than loopback: without a token, only the Host check protects it. */
  readonly token?: string | undefined
  /** Whether only this machine is served; the Host header must then name this machine. */
  readonly loopback: boolean
}

export interface BridgeRefusal {
  readonly status: 401 | 403
  readonly message: string
}

/** Headers of every answer, including refusals. */
export const guardHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const

/** Returns why a request with these headers is refused, or undefined if it is served. */
export function describeBridgeRefusal(
  access: BridgeAccess,
  headers: IncomingHttpHeaders,
): BridgeRefusal | undefined {
  const foreign = describeForeignRequest(headers, access.loopback)
  if (foreign !== undefined) return { status: 403, message: foreign }
  if (access.token === undefined || bearsToken(headers.authorization, access.token)) return undefined
  return { status: 401, message: 'A token is needed: Authorization: Bearer <token>\n' }
}

/** Applies `describeRefusal` in a Hono application. */
export function bridgeGuard(access: BridgeAccess): MiddlewareHandler {
  return async (context, next) => {
    for (const [name, value] of Object.entries(guardHeaders)) context.header(name, value)
    const refusal = describeBridgeRefusal(access, context.req.header())
    return refusal === undefined ? next() : context.text(refusal.message, refusal.status)
  }
}
