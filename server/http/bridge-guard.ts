/**
 * Decides which requests a bridge serves: those of local programs, never those of browser pages; if a token is set,
 * only requests that carry it.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { MiddlewareHandler } from 'hono'
import type { AuditEntry } from '../../core/api/people.ts'
import { describePersonRefusal } from '../../core/api/rights.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { shorten } from '../../core/text/wording.ts'
import { MinuteLimit, type People, type Person } from '../people/people.ts'
import { endWithPerson, readSender } from './gate.ts'
import { describeForeignRequest } from './local-requests.ts'
import { equalSecrets, maxGuesses, readBearer } from './security.ts'

export interface BridgeAccess {
  /** Required when the bridge serves more than loopback: without a token, only the Host check protects it. */
  readonly token?: string | undefined
  /** Whether only this machine is served; the Host header must then name this machine. */
  readonly loopback: boolean
  /** The people that may use it besides those who have its token. */
  readonly people?: People | undefined
  /** The program that serves, for the audit log; `bridge` by default. */
  readonly program?: string
}

/** The parts of a request by which it is served or refused. */
export interface GuardedRequest {
  readonly headers: IncomingHttpHeaders
  /** The address of the connection, which may send only some wrong tokens a minute. */
  readonly address: string | undefined
  readonly method: string | undefined
  /** Without the query. */
  readonly path: string
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
 * Returns a function that refuses a request, or returns its person. As at the API, a refused request that would change or
 * call something has an entry in the audit log, unless its address sent too many wrong tokens.
 */
export function createBridgeGuard(access: BridgeAccess) {
  const decide = createDecision(access)
  return (request: GuardedRequest): BridgeRefusal | Admitted => {
    const decided = decide(request)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if ('status' in decided && decided.status !== 429 && !isRead)
      recordRefusal(access, { ...request, what: request.method ?? '', target: request.path })
    return decided
  }
}

/** Adds an entry for a refused request to the audit log. */
export function recordRefusal(
  { people, program = 'bridge' }: Pick<BridgeAccess, 'people' | 'program'>,
  {
    what,
    target,
    person,
    headers = {},
    address,
  }: Partial<Pick<GuardedRequest, 'headers' | 'address'>> & {
    /** The kind of request: `call`. */
    readonly what: string
    readonly target: string
    readonly person?: Person | undefined
  },
): void {
  const forwarded = headers['x-forwarded-for']?.toString()
  const entry: AuditEntry = {
    time: new Date().toISOString(),
    person: person?.name,
    outcome: 'refused',
    right: 'call',
    request: `${program}: ${what}`,
    target: shorten(plainLine(target), maxTargetCharacters),
    address,
    forwardedFor: forwarded && shorten(forwarded, maxTargetCharacters),
  }
  people?.record(entry)
}

const maxTargetCharacters = 300

function createDecision(access: BridgeAccess) {
  const { people } = access
  const guesses = new MinuteLimit(maxGuesses)
  return ({ headers, address = '' }: GuardedRequest): BridgeRefusal | Admitted => {
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
    const { address } = readSender(context)
    const { method, path } = context.req
    const checked = check({ headers: context.req.header(), address, method, path })
    if ('status' in checked) {
      if (checked.retryAfterS !== undefined) context.header('Retry-After', String(checked.retryAfterS))
      return context.text(checked.message, checked.status)
    }
    context.set('person', checked.person)
    endWithPerson(context, access.people)
    return next()
  }
}
