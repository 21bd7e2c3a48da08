/**
 * Decides which requests a bridge serves: those of local programs, never those of browser pages; if a token is set,
 * only requests that carry it.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import { describePersonRefusal } from '../../core/api/rights.ts'
import type { People, Person } from '../people/people.ts'
import { endWithPerson, readSender } from './gate.ts'
import { describeForeignRequest } from './local-requests.ts'
import { equalSecrets, GuessLimit, readBearer } from './security.ts'

export interface BridgeAccess {
  /** Required when the bridge serves more than loopback: without a token, only the Host check protects it. */
  readonly token?: string | undefined
  /** Whether only this machine is served; the Host header must then name this machine. */
  readonly loopback: boolean
  /** The people that may use it besides those who have its token. */
  readonly people?: People | undefined
}

interface BridgeRefusal {
  readonly status: 401 | 403 | 429
  readonly message: string
  /** For 429. */
  readonly retryAfterS?: number
}

/** Undefined: the operator, or any program if no token is required. */
interface Admitted {
  readonly person: Person | undefined
}

/** Headers of every answer, including refusals. */
export const guardHeaders = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const

/**
 * Returns a function that refuses a request with these headers, or returns its person.
 *
 * @param address of the connection, which may send only some wrong tokens a minute
 */
export function createBridgeGuard(access: BridgeAccess) {
  const { people } = access
  const guesses = new GuessLimit()
  return (headers: IncomingHttpHeaders, address = ''): BridgeRefusal | Admitted => {
    const foreign = describeForeignRequest(headers, access.loopback)
    if (foreign !== undefined) return { status: 403, message: foreign }
    const bearer = readBearer(headers.authorization)
    const isOperator = bearer !== undefined && equalSecrets(bearer, access.token ?? '')
    const person = bearer === undefined ? undefined : people?.byToken(bearer)
    if (access.token !== undefined && isOperator) return { person: undefined }
    if (person !== undefined) {
      const refusal = describePersonRefusal('read', person)
      people?.recordSignIn(person, { address }, 'token')
      return refusal === undefined ? { person } : { status: 403, message: `${refusal}\n` }
    }
    // A revoked token does not get the rights of a program without one.
    const isOpen = access.token === undefined && (bearer === undefined || people?.areUsed !== true)
    if (isOpen) return { person: undefined }
    const retryAfterS = bearer === undefined ? undefined : guesses.add(address)
    return retryAfterS === undefined
      ? { status: 401, message: 'A token is needed: Authorization: Bearer <token>\n' }
      : { status: 429, message: 'Too many wrong tokens from this address.\n', retryAfterS }
  }
}

/** Applies the guard of a bridge in a Hono application, and sets the person of the request. */
export function bridgeGuard(access: BridgeAccess): MiddlewareHandler {
  const check = createBridgeGuard(access)
  return async (context, next) => {
    for (const [name, value] of Object.entries(guardHeaders)) context.header(name, value)
    const checked = check(context.req.header(), readSender(context).address)
    if ('status' in checked) {
      if (checked.retryAfterS !== undefined) context.header('Retry-After', String(checked.retryAfterS))
      return context.text(checked.message, checked.status)
    }
    context.set('person', checked.person)
    endWithPerson(context, access.people)
    return next()
  }
}
