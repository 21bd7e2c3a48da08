/**
 * Who may talk to us. The server listens on loopback unless told otherwise, but every page in the user's browser and
 * every program on the machine can reach that: so Host and Origin are checked on every route, and everything but the
 * health check wants the token, or the cookie that the token was exchanged for.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { AppError } from '../../core/errors.ts'
import { callbackPath } from '../sign-in/callback-route.ts'
import { OneTimeCodes } from '../sign-in/one-time-codes.ts'
import { errorAnswer } from './error-answer.ts'

export interface Access {
  /** What the URL carries and API clients send as a bearer. */
  readonly token: string
  /** What the cookie holds: another secret, so that a leaked cookie does not give the token away. */
  readonly sessionSecret: string
  /** Browsers share cookies between the ports of a host: two servers must not take each other's. */
  readonly cookieName: string
  /** Hosts beside this machine's own names that may be asked for: `tools.example.com`, with or without a port. */
  readonly hosts: readonly string[]
  /** What the browser is opened with: its command line can be read by every user of the machine. */
  readonly codes: OneTimeCodes<true>
  /** Whether a sign-in with this `state` waits for its browser: the request that brings it has no cookie of ours. */
  readonly isSignIn: (state: string) => boolean
  /** The port, once known: it is part of the allowed hosts. */
  port: number
}

const noSignIn = () => false

/**
 * With a token that is given, the cookie follows from it: replicas behind one address know each other's, and a restart
 * logs nobody out. Without one, everything is random.
 */
export function createAccess(
  token?: string,
  hosts: readonly string[] = [],
  isSignIn: Access['isSignIn'] = noSignIn,
): Access {
  const random = () => randomBytes(24).toString('base64url')
  const derived = (purpose: string) =>
    token === undefined
      ? random()
      : createHmac('sha256', token).update(`toolscope ${purpose}`).digest('base64url')
  return {
    token: token ?? random(),
    sessionSecret: derived('session'),
    cookieName: `toolscope-${derived('cookie').slice(0, 12)}`,
    hosts: hosts.map(host => host.toLowerCase()),
    codes: new OneTimeCodes(codeLifetimeMs),
    isSignIn,
    port: 0,
  }
}

/** How long a code may be traded. */
const codeLifetimeMs = 60_000

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // Monaco and RJSF position things with style attributes.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "frame-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/**
 * For the worker that runs scripts, and for it alone: a worker's rights come from the headers of its own file. It may
 * compile the engine that the page hands to it, and has no network at all.
 */
export const scriptWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"

/** Headers of every answer, refusals too. */
export const securityHeaders: MiddlewareHandler = async (context, next) => {
  await next()
  // Not `context.header`: it would copy the answer for each header, and turn its body into a stream.
  const { headers } = context.res
  if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', policy)
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  headers.set('Cross-Origin-Opener-Policy', 'same-origin')
  headers.set('Cross-Origin-Resource-Policy', 'same-origin')
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
}

/** Host, Origin, then token, bearer or cookie. Refuses with 403 or 401 and says why. */
export function guard(access: Access): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')
    if (host === undefined || !isAllowed(host, access))
      return refuse(
        context,
        'forbidden',
        `the Host header is ${host === undefined ? 'missing' : `"${host.slice(0, 100)}"; --allow-host lets another name in`}`,
      )
    const origin = context.req.header('origin')
    if (origin !== undefined && !isAllowedOrigin(origin, access))
      return refuse(context, 'forbidden', `the Origin header is "${origin.slice(0, 100)}"`)

    if (context.req.path === '/api/health' && context.req.method === 'GET') return next()
    const comesBack = context.req.path === callbackPath && context.req.method === 'GET'
    if (comesBack && access.isSignIn(context.req.query('state') ?? '')) return next()
    if (comesBack && !hasCookie(context, access))
      return refuse(context, 'unauthorised', 'this sign-in was used already, or it took too long')
    if (bearsToken(context.req.header('authorization'), access.token)) return next()
    const urlToken = context.req.query('token')
    if (urlToken !== undefined && context.req.method === 'GET' && !context.req.path.startsWith('/api/'))
      return equalSecrets(urlToken, access.token)
        ? enter(context, access)
        : refuse(context, 'unauthorised', 'the token in the URL is not the right one')
    const code = context.req.query('code')
    if (code !== undefined && context.req.method === 'GET' && !context.req.path.startsWith('/api/'))
      return access.codes.use(code) === true || hasCookie(context, access)
        ? enter(context, access)
        : refuse(context, 'unauthorised', 'the code in the URL was good once, for a minute')
    if (!hasCookie(context, access))
      return refuse(
        context,
        'unauthorised',
        `${context.req.method} ${context.req.path} was sent without a session`,
      )
    const isRead = context.req.method === 'GET' || context.req.method === 'HEAD'
    if (!isRead && origin === undefined)
      return refuse(
        context,
        'forbidden',
        'a request that changes something carries an Origin header or the bearer token',
      )
    return next()
  }
}

function isAllowed(host: string, { port, hosts }: Access): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}` || isNamed(host, hosts)
}

/** A name without a port stands for every port: a proxy may listen at any. */
function isNamed(host: string, hosts: readonly string[]): boolean {
  const asked = host.toLowerCase()
  return hosts.includes(asked) || hosts.includes(asked.replace(/:\d+$/, ''))
}

function isAllowedOrigin(origin: string, { port, hosts }: Access): boolean {
  if (origin === `http://127.0.0.1:${port}` || origin === `http://localhost:${port}`) return true
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]
  return host !== undefined && isNamed(host, hosts)
}

/** Whether an `Authorization` header carries the token. */
export function bearsToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(header ?? '')?.[1]
  return given !== undefined && equalSecrets(given, token)
}

/** A cookie counts only on requests that our own page, or the address bar, has made. */
function hasCookie(context: Context, access: Access): boolean {
  const site = context.req.header('sec-fetch-site')
  // Over plain HTTP browsers tell only this machine's own names; elsewhere SameSite and Origin have to do.
  const untold = site === undefined && isNamed(context.req.header('host') ?? '', access.hosts)
  if (site !== 'same-origin' && site !== 'none' && !untold) return false
  const given = getCookie(context, access.cookieName)
  return given !== undefined && equalSecrets(given, access.sessionSecret)
}

/** Gives the cookie, and takes what it was traded for out of the address bar and the history. */
function enter(context: Context, access: Access): Response {
  setCookie(context, access.cookieName, access.sessionSecret, {
    httpOnly: true,
    // A proxy that speaks TLS says so; who lies here only locks out himself.
    secure: context.req.header('x-forwarded-proto') === 'https',
    sameSite: 'Strict',
    path: '/',
  })
  const url = new URL(context.req.url)
  for (const name of ['token', 'code']) url.searchParams.delete(name)
  // `//host/` would be an address elsewhere.
  return context.redirect(`${url.pathname.replace(/^[/\\]+/, '/')}${url.search}`, 302)
}

/** Compared as digests: equal length, and a time that tells nothing about the place of the first difference. */
function equalSecrets(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

const digest = (text: string) => createHash('sha256').update(text).digest()

function refuse(context: Context, code: 'forbidden' | 'unauthorised', detail: string): Response {
  return errorAnswer(context, new AppError(code, detail))
}
