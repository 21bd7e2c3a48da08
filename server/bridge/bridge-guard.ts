/** Who may talk to a bridge: programs of this machine; pages of a browser never; with a token when one is set. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'

export interface BridgeAccess {
  /** Without one, only the Host header keeps strangers out: so it is demanded where more than loopback is served. */
  readonly token?: string | undefined
  /** Whether only this machine is served; then the Host must be this machine's. */
  readonly loopback: boolean
}

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i

export function bridgeGuard(access: BridgeAccess): MiddlewareHandler {
  return async (context, next) => {
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Cache-Control', 'no-store')
    const host = context.req.header('host') ?? ''
    // A name that an attacker has pointed at this machine (DNS rebinding) is not one of these.
    if (access.loopback && !loopbackHost.test(host))
      return context.text(`Refused: the Host header is "${host}"\n`, 403)
    const origin = context.req.header('origin')
    const site = context.req.header('sec-fetch-site') ?? 'none'
    if (origin !== undefined || (site !== 'none' && site !== 'same-origin'))
      return context.text(`Refused: a page (${origin ?? site}) may not call tools\n`, 403)
    if (access.token === undefined || hasToken(context.req.header('authorization'), access.token))
      return next()
    return context.text('A token is needed: Authorization: Bearer <token>\n', 401)
  }
}

function hasToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(header ?? '')?.[1]
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return given !== undefined && timingSafeEqual(digest(given), digest(token))
}
