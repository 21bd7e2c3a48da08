/**
 * Decides which requests the server answers. It listens on loopback by default, but every page in the user's browser
 * and every local program can reach loopback. So every route checks Host and Origin, and everything except the health
 * check needs the token or the cookie that it was exchanged for.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context, MiddlewareHandler, Next } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { AppError } from '../../core/errors.ts'
import { MinuteLimit, type People, type Person, toPersonCookie } from '../people/people.ts'
import { callbackPath } from '../sign-in/callback-route.ts'
import { OneTimeCodes } from '../sign-in/one-time-codes.ts'
import { errorAnswer } from './error-answer.ts'
import { readSender } from './gate.ts'

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

/** Wrong tokens of an address in a minute that are answered one by one. */
export const maxGuesses = 100

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
    const owner = toPageOwner(context)
    if (owner !== undefined) headers.set(pageOwnerHeader, owner)
  }

/**
 * Checks Host, then Origin, then the sign-in of a proxy, the token or the cookie. Refuses with 403 or 401 and the reason,
 * and with 429 if an address sent too many wrong tokens. Sets the person of the request.
 *
 * @param onRefusal is called before a refusal is answered
 */
export function guard(access: Access, onRefusal: (context: Context) => void = () => {}): MiddlewareHandler {
  const guesses = new MinuteLimit(maxGuesses)
  const refuse = (context: Context, code: 'forbidden' | 'unauthorised', detail: string): Response => {
    onRefusal(context)
    return errorAnswer(context, new AppError(code, detail))
  }
  /** A right token is served in any case: others may have the same address. */
  const refuseGuess = (context: Context, detail: string): Response => {
    const retryAfterS = guesses.add(readSender(context).address ?? '')
    if (retryAfterS === undefined) return refuse(context, 'unauthorised', detail)
    const error = new AppError('too-many-requests', 'too many wrong tokens from this address', {
      retryAfterS,
    })
    return errorAnswer(context, error)
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

    const { method, path } = context.req
    if (openPaths.has(path) && method === 'GET') return next()
    const comesBack = path === callbackPath && method === 'GET'
    if (comesBack && access.isSignIn(context.req.query('state') ?? '')) return next()
    if (comesBack && findByCookie(context, access) === undefined)
      return refuse(context, 'unauthorised', 'this sign-in was used already, or it took too long')

    const people = context.get('gate')?.people
    const signed = people && readProxyHeaders(context, people)
    if (people !== undefined && signed !== undefined) {
      if (!signed.isProven)
        return refuseGuess(
          context,
          `the header ${people.proxy?.userHeader} came without the secret of the proxy`,
        )
      if (!comesFromPage(context, access, true))
        return refuse(context, 'unauthorised', 'a page of another site sent this request')
      return admitByProxy(context, next, people, signed.name)
    }
    const bearer = readBearer(context.req.header('authorization'))
    const byToken = bearer === undefined ? undefined : findByToken(bearer, access, people)
    if (byToken !== undefined) {
      context.set('person', byToken.person)
      recordSignIn(context, 'token')
      return next()
    }
    const isPage = method === 'GET' && !path.startsWith('/api/') && path !== '/metrics'
    const urlToken = context.req.query('token')
    if (urlToken !== undefined && isPage) {
      const entered = findByToken(urlToken, access, people)
      return entered === undefined
        ? refuseGuess(context, 'the token in the URL is not the right one')
        : enter(context, access, entered.person)
    }
    const byCookie = findByCookie(context, access)
    const code = context.req.query('code')
    if (code !== undefined && isPage) {
      if (access.codes.use(code) === true) return enter(context, access, undefined)
      return byCookie === undefined
        ? refuse(context, 'unauthorised', 'the code in the URL was good once, for a minute')
        : enter(context, access, byCookie.person)
    }
    if (byCookie === undefined) {
      const detail = `${method} ${path} was sent without a session`
      const isGuess = bearer !== undefined || getCookie(context, access.cookieName) !== undefined
      return isGuess ? refuseGuess(context, detail) : refuse(context, 'unauthorised', detail)
    }
    return admit(context, next, byCookie.person, 'cookie')
  }

  function admitByProxy(context: Context, next: Next, people: People, name: string) {
    try {
      return admit(context, next, people.byProxy(name), 'proxy')
    } catch (thrown) {
      onRefusal(context)
      return errorAnswer(context, thrown)
    }
  }

  /** Lets a browser in: what it changes carries the Origin of the page. */
  function admit(context: Context, next: Next, person: Person | undefined, how: 'proxy' | 'cookie') {
    const { method } = context.req
    const isRead = method === 'GET' || method === 'HEAD'
    if (!isRead && context.req.header('origin') === undefined)
      return refuse(
        context,
        'forbidden',
        'a request that changes something carries an Origin header or the bearer token',
      )
    context.set('person', person)
    context.set('isAdmitted', true)
    const owner = toPageOwner(context)
    const ofPage = context.req.header(pageOwnerHeader)
    if (ofPage !== undefined && owner !== undefined && ofPage !== owner) {
      const error = new AppError('not-allowed', 'another person signed in with this browser', {
        hint: 'Load the page again to see whose it is now.',
      })
      return errorAnswer(context, error)
    }
    if (how === 'proxy') recordSignIn(context, how)
    return next()
  }
}

/**
 * Each answer names the person that the request was admitted for, and the page sends the name of its first answer: a
 * sign-in in another tab replaces the cookie, and what is then called in this tab must not be a call of the other person.
 */
const pageOwnerHeader = 'x-page-person'

/** Undefined without people, and before a request is admitted. */
function toPageOwner(context: Context): string | undefined {
  const isAdmitted = context.get('isAdmitted') === true
  const person = context.get('person')
  if (!isAdmitted || context.get('gate')?.people?.areUsed !== true) return undefined
  // No name of a person begins with this character.
  return person === undefined ? '*' : encodeURIComponent(person.name)
}

/** Need no token. */
const openPaths: ReadonlySet<string> = new Set(['/api/health', '/api/health/ready'])

/**
 * Whether a program that watches the server sent the request. It names the server by any address: its answer has nothing
 * of users (`/api/health/ready`), or it has a token that no page knows (`/metrics`).
 */
function isProbe({ req }: Context, { metricsToken }: Access): boolean {
  const isFromBrowser = ['origin', 'sec-fetch-site', 'cookie'].some(name => req.header(name) !== undefined)
  if (req.method !== 'GET' || isFromBrowser) return false
  if (req.path === '/api/health/ready') return true
  const bearer = readBearer(req.header('authorization'))
  return (
    req.path === '/metrics' &&
    metricsToken !== undefined &&
    bearer !== undefined &&
    equalSecrets(bearer, metricsToken)
  )
}

/** Returns whether a request that needs no token carries the server's own, or its cookie. */
export function isOperator(context: Context, access: Access): boolean {
  const bearer = readBearer(context.req.header('authorization'))
  const people = context.get('gate')?.people
  const found = bearer === undefined ? undefined : findByToken(bearer, access, people)
  const signedIn = found ?? findByCookie(context, access)
  return signedIn !== undefined && signedIn.person === undefined
}

function recordSignIn(context: Context, how: 'token' | 'proxy' | 'page'): void {
  const person = context.get('person')
  if (person !== undefined) context.get('gate')?.people?.recordSignIn(person, readSender(context), how)
}

interface SignedIn {
  /** Undefined: the operator. */
  readonly person: Person | undefined
}

/** Undefined if nobody has the token. Takes the same time for a right and a wrong one. */
function findByToken(token: string, access: Access, people: People | undefined): SignedIn | undefined {
  const isOperator = equalSecrets(token, access.token)
  const person = people?.byToken(token)
  return isOperator ? { person: undefined } : person && { person }
}

/** Undefined if the proxy has not signed in anybody and nobody claims that. */
function readProxyHeaders(context: Context, { proxy }: People) {
  if (proxy === undefined) return undefined
  const name = context.req.header(proxy.userHeader)
  const secret = context.req.header(proxy.secretHeader)
  if (name === undefined && secret === undefined) return undefined
  // A client may bring a token of its own through the proxy, which then names no user.
  const isProven = secret !== undefined && equalSecrets(secret, proxy.secret)
  if (isProven && name === undefined) return undefined
  return { isProven, name: decodeHeader(name ?? '') }
}

/** Node reads headers as Latin-1, while proxies send names in UTF-8. */
function decodeHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\uFFFD') ? value : text
}

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

/** Returns the token of an `Authorization` header. */
export const readBearer = (header: string | undefined) => /^Bearer (.+)$/.exec(header ?? '')?.[1]

/** Whether this server's page or the address bar sent the request. `opens`: also if another site opens the page. */
function comesFromPage(context: Context, access: Access, opens = false): boolean {
  const site = context.req.header('sec-fetch-site')
  if (site === 'same-origin' || site === 'none') return true
  // A proxy that signs people in comes back from another site to the page.
  if (opens && context.req.method === 'GET' && !context.req.path.startsWith('/api/')) return true
  // Over plain HTTP, browsers send Sec-Fetch-Site only to loopback names; for other hosts, SameSite and Origin must
  // suffice. A program sends it never.
  return site === undefined && (opens || isNamed(context.req.header('host') ?? '', access.hosts))
}

/** Returns the owner of the cookie, which is accepted only on requests from this server's page or the address bar. */
function findByCookie(context: Context, access: Access): SignedIn | undefined {
  if (!comesFromPage(context, access)) return undefined
  const given = getCookie(context, access.cookieName)
  if (given === undefined) return undefined
  const isOperator = equalSecrets(given, access.sessionSecret)
  const person = context.get('gate')?.people?.byCookie(given, access.sessionSecret)
  return isOperator ? { person: undefined } : person && { person }
}

/** Sets the cookie, and removes the token or code from the address bar and the browser history. */
function enter(context: Context, access: Access, person: Person | undefined): Response {
  context.set('person', person)
  recordSignIn(context, 'page')
  const value = person === undefined ? access.sessionSecret : toPersonCookie(person, access.sessionSecret)
  setCookie(context, access.cookieName, value, {
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
export function equalSecrets(given: string, right: string): boolean {
  return timingSafeEqual(digest(given), digest(right))
}

const digest = (text: string) => createHash('sha256').update(text).digest()
