/** Who may talk to a bridge: programs of this machine; pages of a browser never; with a token when one is set. */

import type { IncomingHttpHeaders } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { bearsToken } from './security.ts'

export interface BridgeAccess {
  /** Without one, only the Host header keeps strangers out: so it is demanded where more than loopback is served. */
  readonly token?: string | undefined
  /** Whether only this machine is served; then the Host must be this machine's. */
  readonly loopback: boolean
}

export interface Refusal {
  readonly status: 401 | 403
  readonly message: string
}

/** Headers of every answer, refusals too. */
export const guardHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i

/** Why a request with these headers is not served; undefined where it is. */
export function refusalOf(access: BridgeAccess, headers: IncomingHttpHeaders): Refusal | undefined {
  const { host = '', origin, authorization } = headers
  // A name that an attacker has pointed at this machine (DNS rebinding) is not one of these.
  if (access.loopback && !loopbackHost.test(host))
    return { status: 403, message: `Refused: the Host header is "${host}"\n` }
  const site = headers['sec-fetch-site'] ?? 'none'
  // No page comes from this address, so an origin that is this address is a program's own header.
  if ((origin !== undefined && origin !== `http://${host}`) || (site !== 'none' && site !== 'same-origin'))
    return { status: 403, message: `Refused: a page (${origin ?? site}) may not call tools\n` }
  if (access.token === undefined || bearsToken(authorization, access.token)) return undefined
  return { status: 401, message: 'A token is needed: Authorization: Bearer <token>\n' }
}

/** The same rule for a Hono application. */
export function bridgeGuard(access: BridgeAccess): MiddlewareHandler {
  return async (context, next) => {
    for (const [name, value] of Object.entries(guardHeaders)) context.header(name, value)
    const refusal = refusalOf(access, context.req.header())
    return refusal === undefined ? next() : context.text(refusal.message, refusal.status)
  }
}
