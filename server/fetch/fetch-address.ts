/**
 * The only module that sends requests to other servers, to addresses that the user named. Uses the environment's
 * proxies, follows redirects on the same host, and sends no credential to another origin. The body has no time limit:
 * the caller passes a signal.
 */
import { AppError, toErrorMessage } from '../../core/errors.ts'

const maxRedirects = 5
const redirectStatuses = [301, 302, 303, 307, 308]
/** All other headers may contain a credential: Authorization, Cookie, the MCP session, configured headers. */
const harmlessHeaders = [
  'accept',
  'accept-language',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'user-agent',
]

/** Which other hosts a redirect may lead to. */
export type Redirects = 'same-host' | 'any-host'

export interface FetchInit extends RequestInit {
  /** `same-host` by default. `redirect: 'manual'` follows none and returns the redirect response. */
  readonly redirects?: Redirects | undefined
}

/**
 * Like `fetch`, for http and https addresses and text bodies. Rejects with AppError `source-failed`, which names the
 * address and the cause, or with the signal's reason. A body over 64 MiB ends with an error.
 * A redirect is followed if it keeps the method (307 and 308 for a POST) and leads to the same origin, to the https
 * form of an http address, or with `any-host` to any address except from https to http. Other redirects reject with an
 * error that names their target. Another origin receives no header that may contain a credential.
 */
export async function fetchAddress(input: string | URL, init: FetchInit = {}): Promise<Response> {
  const url = new URL(input)
  const form = init.body instanceof URLSearchParams
  const body = form ? String(init.body) : (init.body ?? undefined)
  if (body !== undefined && typeof body !== 'string') throw new TypeError('only text is sent')
  const headers = new Headers(init.headers)
  if (form && !headers.has('content-type')) headers.set('content-type', 'application/x-www-form-urlencoded')
  const request: AddressRequest = { url, headers, body, init, method: (init.method ?? 'GET').toUpperCase() }
  for (let current = request, followed = 0; ; followed++) {
    const response = await ask(current)
    const target = init.redirect === 'manual' ? null : redirectTarget(current, response)
    if (target === null) return checked(response, request, current)
    await response.body?.cancel()
    if (followed === maxRedirects)
      throw new AppError(
        'source-failed',
        `${hideAddressSecrets(url)} was redirected more than ${maxRedirects} times`,
      )
    current = follow(current, target)
  }
}

interface AddressRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly init: FetchInit
}

async function ask({ url, method, headers, body, init }: AddressRequest): Promise<Response> {
  const { signal } = init
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AppError(
      'source-failed',
      `${hideAddressSecrets(url)}: only http and https addresses are supported`,
    )
  // Loaded on demand, because it loads Node's HTTP client.
  const { findProxy, sendRequest: send } = await import('./send.ts')
  const proxy = findProxy(url, process.env)
  return send(url, proxy, { method, headers, body, signal }).catch((error: NodeJS.ErrnoException) => {
    if (signal?.aborted) throw signal.reason
    const through = proxy === undefined ? '' : ` through the proxy ${proxy.origin}`
    throw new AppError('source-failed', `${hideAddressSecrets(url)}${through}: ${explain(error)}`, {
      hint: hintFor(error, proxy),
    })
  })
}

/** Returns null if the response is not a redirect. Throws if the redirect must not be followed. */
function redirectTarget(
  { url: from, method, init }: AddressRequest,
  { status, headers }: Response,
): URL | null {
  const location = headers.get('location')
  if (!redirectStatuses.includes(status) || location === null) return null
  const refuse = (what: string, hint: string) =>
    new AppError('source-failed', `${hideAddressSecrets(from)} answered ${status} and points to ${what}`, {
      hint,
    })
  if (!URL.canParse(location, from.href))
    throw refuse('no address that can be read', 'Ask whoever runs the server.')
  const to = new URL(location, from)
  const useIt = `If ${hideAddressSecrets(to)} is the address that you mean, use it instead`
  if (to.protocol !== 'https:' && to.protocol !== from.protocol)
    throw refuse(
      `${hideAddressSecrets(to)}, which is not encrypted`,
      'Ask whoever runs the server for an https address.',
    )
  if (status < 307 && !['GET', 'HEAD'].includes(method))
    throw refuse(
      `${hideAddressSecrets(to)}, which a ${method} does not follow`,
      `${useIt}. It may also be a page to sign in.`,
    )
  if (init.redirects !== 'any-host' && !isSameHost(from, to))
    throw refuse(
      `${hideAddressSecrets(to)}, another host`,
      `${useIt}, or write "redirects": "any-host" next to its "url".`,
    )
  return to
}

function isSameHost(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true
  return from.hostname === to.hostname && from.port === '' && to.port === ''
}

function follow({ headers, ...request }: AddressRequest, url: URL): AddressRequest {
  const isSameOrigin = url.origin === request.url.origin
  // A password in an address is only for the origin that the user named.
  url.username = isSameOrigin ? request.url.username : ''
  url.password = isSameOrigin ? request.url.password : ''
  const passedHeaders = isSameOrigin
    ? headers
    : [...headers].filter(([name]) => harmlessHeaders.includes(name))
  return { ...request, url, headers: new Headers(passedHeaders) }
}

/** Throws if another origin refuses a request that was sent without credentials. */
function checked(response: Response, first: AddressRequest, last: AddressRequest): Response {
  const isComplete =
    [...first.headers.keys()].every(name => last.headers.has(name)) &&
    first.url.username === last.url.username
  if ((response.status !== 401 && response.status !== 403) || isComplete) return response
  void response.body?.cancel()
  throw new AppError(
    'source-failed',
    `${hideAddressSecrets(first.url)} points to ${hideAddressSecrets(last.url)}, which answered ${response.status} without your credentials`,
    {
      hint: `Credentials are sent only to the address that you named. If you mean ${hideAddressSecrets(last.url)}, use it instead.`,
    },
  )
}

/** Returns the address without possible secrets: the password and the query. */
export function hideAddressSecrets(address: string | URL): string {
  const text = String(address)
  if (/^https?:/i.test(text) && URL.canParse(text)) {
    const { origin, pathname, search } = new URL(text)
    return `${origin}${pathname}${search === '' ? '' : '?…'}`
  }
  return text.replace(/^([^/?#]*\/\/)[^\s/?#]*@/, '$1').replace(/\?.*$/s, '?…')
}

/** Reads a body. Rejects with AppError `source-failed` if it breaks off, ends at the limit or is over 64 MiB. */
export async function readResponseText(response: Response, address: string | URL): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throw new AppError('source-failed', `${hideAddressSecrets(address)}: ${toErrorMessage(cause)}`, {
      hint: 'Is this the address of a list of tools? Try it with curl.',
      cause,
    })
  }
}

const isUnknownAuthority = (code = '') =>
  /SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|CERT_UNTRUSTED/.test(code)

function explain(error: NodeJS.ErrnoException): string {
  const words: Record<string, string> = {
    ECONNREFUSED: 'nothing listens there (connection refused)',
    ENOTFOUND: 'there is no such host',
    ECONNRESET: 'the other side closed the connection',
    ETIMEDOUT: 'no answer',
  }
  if (isUnknownAuthority(error.code))
    return `its certificate is signed by an unknown authority (${error.message})`
  return words[error.code ?? ''] ?? (error.message || error.code || 'the connection failed')
}

function hintFor(error: NodeJS.ErrnoException, proxy: URL | undefined): string {
  if (isUnknownAuthority(error.code))
    return 'Set NODE_EXTRA_CA_CERTS to the file (PEM) of your company’s authority before Toolscope starts.'
  if (proxy !== undefined) return 'Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY.'
  return 'Is the server running, and is this its address and port?'
}
