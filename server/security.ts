/**
 * Who may talk to us. The server listens on loopback, but every page in the user's browser and every program on
 * the machine can reach that: so Host and Origin are checked on every route, and everything but the health
 * check wants the token, or the cookie that the token was exchanged for.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { AppError } from '../core/errors.ts'
import { errorAnswer } from './routes/error-answer.ts'

export interface Access {
  /** What the URL carries and API clients send as a bearer. */
  readonly token: string
  /** What the cookie holds: another secret, so that a leaked cookie does not give the token away. */
  readonly sessionSecret: string
  /** The port, once known: it names the cookie (browsers share cookies between ports) and the allowed hosts. */
  port: number
}

export function createAccess(token = randomBytes(24).toString('base64url')): Access {
  return { token, sessionSecret: randomBytes(24).toString('base64url'), port: 0 }
}

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
  "frame-src 'self' blob:",
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
  if (!context.res.headers.has('Content-Security-Policy')) context.header('Content-Security-Policy', policy)
  context.header('X-Content-Type-Options', 'nosniff')
  context.header('Referrer-Policy', 'no-referrer')
  context.header('Cross-Origin-Opener-Policy', 'same-origin')
  context.header('Cross-Origin-Resource-Policy', 'same-origin')
  if (!context.res.headers.has('Cache-Control')) context.header('Cache-Control', 'no-store')
}

/** Host, Origin, then token, bearer or cookie. Refuses with 403 or 401 and says why. */
export function guard(access: Access): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host')
    if (host === undefined || !allowedHosts(access.port).includes(host))
      return refuse(
        context,
        'forbidden',
        `the Host header is ${host === undefined ? 'missing' : `"${host.slice(0, 100)}"`}`,
      )
    const origin = context.req.header('origin')
    if (origin !== undefined && !allowedHosts(access.port).some(allowed => origin === `http://${allowed}`))
      return refuse(context, 'forbidden', `the Origin header is "${origin.slice(0, 100)}"`)

    if (context.req.path === '/api/health' && context.req.method === 'GET') return next()
    if (hasBearer(context, access)) return next()
    const urlToken = context.req.query('token')
    if (urlToken !== undefined && context.req.method === 'GET' && !context.req.path.startsWith('/api/'))
      return exchange(context, access, urlToken)
    if (!hasCookie(context, access))
      return refuse(context, 'unauthorised', `${context.req.method} ${context.req.path}`)
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

function allowedHosts(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`]
}

function hasBearer(context: Context, access: Access): boolean {
  const given = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1]
  return given !== undefined && equalSecrets(given, access.token)
}

/** A cookie counts only on requests that our own page, or the address bar, has made. */
function hasCookie(context: Context, access: Access): boolean {
  const site = context.req.header('sec-fetch-site')
  if (site !== 'same-origin' && site !== 'none') return false
  const given = getCookie(context, cookieName(access))
  return given !== undefined && equalSecrets(given, access.sessionSecret)
}

/** Trades the token of the URL for the cookie, and takes it out of the address bar and the history. */
function exchange(context: Context, access: Access, given: string): Response {
  if (!equalSecrets(given, access.token))
    return refuse(context, 'unauthorised', 'the token in the URL is not the right one')
  setCookie(context, cookieName(access), access.sessionSecret, {
    httpOnly: true,
    sameSite: 'Strict',
    path: '/',
  })
  const url = new URL(context.req.url)
  url.searchParams.delete('token')
  return context.redirect(`${url.pathname}${url.search}`, 302)
}

const cookieName = (access: Access) => `toolscope-${access.port}`

/** Compared as digests: equal length, and a time that tells nothing about the place of the first difference. */
function equalSecrets(given: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}

function refuse(context: Context, code: 'forbidden' | 'unauthorised', detail: string): Response {
  return errorAnswer(context, new AppError(code, detail))
}
