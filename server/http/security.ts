/**
 * Decides which requests the server answers. It listens on loopback by default, but every page in the user's browser
 * and every local program can reach loopback. So every route checks Host and Origin, and everything except the health
 * check needs the token or the cookie that it was exchanged for.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { AppError } from '../../core/errors.ts'
import { callbackPath } from '../sign-in/callback-route.ts'
import { OneTimeCodes } from '../sign-in/one-time-codes.ts'
import { errorAnswer } from './error-answer.ts'

export interface Access {
  /** The secret in the URL; API clients send it as a bearer token. */
  readonly token: string
  /** The value of the cookie: another secret, so that a leaked cookie does not reveal the token. */
  readonly sessionSecret: string
  /** Browsers share cookies between the ports of a host, so each server needs its own name. */
  readonly cookieName: string
  /** Allowed hosts besides this machine's own names: `tools.example.com`, with or without a port. */
  readonly hosts: readonly string[]
  /** One-time codes for opening the browser: every user of the machine can read its command line. */
  readonly codes: OneTimeCodes<true>
  /** Whether a sign-in with this `state` is pending: the redirect that completes it does not carry the cookie. */
  readonly isSignIn: (state: string) => boolean
  /** The secret of programs that read `/metrics`; it allows nothing else. */
  readonly metricsToken?: string | undefined
  /** The port, once known; it is part of the allowed hosts. */
  port: number
}

const noSignIn = () => false

/**
 * Derives the cookie from a given token: replicas behind one address accept each other's cookies, and users stay signed
 * in after a restart. Without a token, everything is random.
 */
export function createAccess(
  token?: string,
  hosts: readonly string[] = [],
  isSignIn: Access['isSignIn'] = noSignIn,
  metricsToken?: string,
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
    metricsToken,
    port: 0,
  }
}

/** Milliseconds for which a code is valid. */
const codeLifetimeMs = 60_000

/** @param frames the origin of the apps, the only one whose frames the page may contain */
const buildPolicy = (frames: string | undefined) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    // Monaco and RJSF position elements with style attributes.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    'media-src data: blob:',
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    `frame-src ${frames ?? "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/**
 * The policy of the script worker only: a worker's rights come from the headers of its own file. It may compile the
 * engine that the page passes to it, and has no network access.
 */
export const scriptWorkerPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'"

/**
 * Headers of every answer, including refusals.
 *
 * @param findFrames returns the origin of the apps as the browser of the request reaches it; undefined without one
 */
export const securityHeaders =
  (findFrames: (context: Context) => string | undefined): MiddlewareHandler =>
  async (context, next) => {
    await next()
    // `context.header` would copy the response for each header and turn its body into a stream.
    const { headers } = context.res
    if (!headers.has('Content-Security-Policy'))
      headers.set('Content-Security-Policy', buildPolicy(findFrames(context)))
    headers.set('X-Content-Type-Options', 'nosniff')
    headers.set('Referrer-Policy', 'no-referrer')
    headers.set('Cross-Origin-Opener-Policy', 'same-origin')
    headers.set('Cross-Origin-Resource-Policy', 'same-origin')
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store')
  }

/**
 * Checks Host, then Origin, then the token, bearer or cookie. Refuses with 403 or 401 and the reason.
 *
 * @param onRefusal is called before a refusal is answered
 */
export function guard(access: Access, onRefusal: (context: Context) => void = () => {}): MiddlewareHandler {
  const refuse = (context: Context, code: 'forbidden' | 'unauthorised', detail: string): Response => {
    onRefusal(context)
    return errorAnswer(context, new AppError(code, detail))
  }
  return async (context, next) => {
    if (isProbe(context, access)) return next()
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

    if (openPaths.has(context.req.path) && context.req.method === 'GET') return next()
    const comesBack = context.req.path === callbackPath && context.req.method === 'GET'
    if (comesBack && access.isSignIn(context.req.query('state') ?? '')) return next()
    if (comesBack && !hasCookie(context, access))
      return refuse(context, 'unauthorised', 'this sign-in was used already, or it took too long')
    if (bearsToken(context.req.header('authorization'), access.token)) return next()
    const urlToken = context.req.query('token')
    if (urlToken !== undefined && isPageAddress(context))
      return equalSecrets(urlToken, access.token)
        ? enter(context, access)
        : refuse(context, 'unauthorised', 'the token in the URL is not the right one')
    const code = context.req.query('code')
    if (code !== undefined && isPageAddress(context))
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

/** Need no token. */
const openPaths: ReadonlySet<string> = new Set(['/api/health', '/api/health/ready'])

const isPageAddress = ({ req: { method, path } }: Context) =>
  method === 'GET' && !path.startsWith('/api/') && path !== '/metrics'

/**
 * Whether a program that watches the server sent the request. It names the server by any address: its answer has nothing
 * of users (`/api/health/ready`), or it has a token that no page knows (`/metrics`).
 */
function isProbe({ req }: Context, { metricsToken }: Access): boolean {
  const isFromBrowser = ['origin', 'sec-fetch-site', 'cookie'].some(name => req.header(name) !== undefined)
  if (req.method !== 'GET' || isFromBrowser) return false
  if (req.path === '/api/health/ready') return true
  return (
    req.path === '/metrics' &&
    metricsToken !== undefined &&
    bearsToken(req.header('authorization'), metricsToken)
  )
}

/** Returns whether a request that needs no token carries one, or the cookie. */
export const hasSession = (context: Context, access: Access): boolean =>
  bearsToken(context.req.header('authorization'), access.token) || hasCookie(context, access)

/** Returns whether a Host header names this server. */
export function isAllowed(host: string, { port, hosts }: Pick<Access, 'port' | 'hosts'>): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}` || isNamed(host, hosts)
}

/** A name without a port allows every port: a proxy may listen on any. */
function isNamed(host: string, hosts: readonly string[]): boolean {
  const lowerCased = host.toLowerCase()
  return hosts.includes(lowerCased) || hosts.includes(lowerCased.replace(/:\d+$/, ''))
}

function isAllowedOrigin(origin: string, { port, hosts }: Access): boolean {
  if (origin === `http://127.0.0.1:${port}` || origin === `http://localhost:${port}`) return true
  const host = /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]
  return host !== undefined && isNamed(host, hosts)
}

/** Returns whether an `Authorization` header carries the token. */
export function bearsToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer (.+)$/.exec(header ?? '')?.[1]
  return given !== undefined && equalSecrets(given, token)
}

/** Accepts a cookie only on requests from this server's page or from the address bar. */
function hasCookie(context: Context, access: Access): boolean {
  const site = context.req.header('sec-fetch-site')
  // Over plain HTTP, browsers send Sec-Fetch-Site only to loopback names; for other hosts, SameSite and Origin must
  // suffice.
  const untold = site === undefined && isNamed(context.req.header('host') ?? '', access.hosts)
  if (site !== 'same-origin' && site !== 'none' && !untold) return false
  const given = getCookie(context, access.cookieName)
  return given !== undefined && equalSecrets(given, access.sessionSecret)
}

/** Sets the cookie, and removes the token or code from the address bar and the browser history. */
function enter(context: Context, access: Access): Response {
  setCookie(context, access.cookieName, access.sessionSecret, {
    httpOnly: true,
    // A TLS proxy sends this header; a client that forges it only locks itself out.
    secure: context.req.header('x-forwarded-proto') === 'https',
    sameSite: 'Strict',
    path: '/',
  })
  const url = new URL(context.req.url)
  for (const name of ['token', 'code']) url.searchParams.delete(name)
  // `//host/` would redirect to another host.
  return context.redirect(`${url.pathname.replace(/^[/\\]+/, '/')}${url.search}`, 302)
}

/** Compares digests: they have equal length, and the time does not reveal where the texts differ. */
function equalSecrets(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
