/**
 * Sends one request with Node's own client, which returns before the body is complete and names the cause of a failure,
 * and chooses the proxy of the environment. A request to an https address uses a tunnel (CONNECT), so that the proxy sees
 * only its host; a request to an http address is sent to the proxy as a whole.
 */
import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest, type RequestOptions } from 'node:https'
import { BlockList, isIP, type Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import { AppError } from '../../core/errors.ts'
import { isLoopback } from './loopback.ts'

/** Bytes of one response. An event stream has no limit. */
const maxBodyBytes = 64 * 1024 * 1024
/**
 * A connection is used again only within this time. Servers close idle connections after 2 s (gunicorn), 5 s (Node,
 * uvicorn) or later; a request that meets the closing fails, and a POST must not be sent twice (RFC 9110, 9.2.2).
 */
const maxIdleMs = 1_000
const idleSince = new WeakMap<Duplex, number>()

export interface Outgoing {
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly signal: AbortSignal | null | undefined
}

/** Rejects with the error of Node, or with the signal's reason. */
export function sendRequest(url: URL, proxy: URL | undefined, outgoing: Outgoing): Promise<Response> {
  const { method, body, signal } = outgoing
  const headers: OutgoingHttpHeaders = { ...Object.fromEntries(outgoing.headers) }
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = openRequest(url, proxy, method, headers, answer =>
      resolve(toResponse(answer, () => signal?.removeEventListener('abort', onAbort))),
    )
    const onAbort = () => {
      reject(signal?.reason)
      request.destroy(new Error('aborted'))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    request.on('error', error => {
      signal?.removeEventListener('abort', onAbort)
      reject(error)
    })
    request.end(body)
  })
}

/**
 * Starts a request, whose body the caller writes. It fails with an `error` event.
 *
 * @param headers by name, or names and values one after the other with `Host`, which are sent as they are
 */
export function openRequest(
  url: URL,
  proxy: URL | undefined,
  method: string,
  headers: OutgoingHttpHeaders | readonly string[],
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
  const { headers: more = {}, ...where } = route(url, proxy)
  const start = where.protocol === 'https:' ? httpsRequest : httpRequest
  const { host: _host, ...others }: OutgoingHttpHeaders = isList(more) ? {} : more
  // Node accepts such a list too; its type knows only the other form.
  const all = isList(headers)
    ? ([...headers, ...Object.entries(others).flat()] as unknown as OutgoingHttpHeaders)
    : { ...headers, ...more }
  closeIdle(where.agent)
  const request = start({ ...where, method, headers: all }, onAnswer)
  request.on('socket', socket => {
    request.once('close', () => idleSince.set(socket, performance.now()))
    if (!socket.connecting) return
    const timer = setTimeout(
      () => request.destroy(new Error(`no connection within ${connectTimeoutMs / 1000} s`)),
      connectTimeoutMs,
    )
    for (const event of ['connect', 'close'] as const) socket.once(event, () => clearTimeout(timer))
  })
  return request
}

const isList = (headers: OutgoingHttpHeaders | readonly string[]): headers is readonly string[] =>
  Array.isArray(headers)

/** Closes the free connections that the other side may be about to close. */
function closeIdle({ freeSockets }: Agent): void {
  const latest = performance.now() - maxIdleMs
  for (const sockets of Object.values(freeSockets))
    for (const socket of sockets ?? []) if ((idleSince.get(socket) ?? 0) < latest) socket.destroy()
}

function toResponse(answer: IncomingMessage, done: () => void): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each)
  const status = answer.statusCode ?? 502
  answer.once('close', done)
  if ([101, 204, 205, 304].includes(status) || status < 200) {
    answer.resume()
    return new Response(null, { status: status < 200 ? 502 : status, headers })
  }
  if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) limit(answer)
  // Node's stream type and the platform's are the same thing under two names.
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers })
}

function limit(answer: IncomingMessage): void {
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBodyBytes) answer.destroy(new Error(`the answer is larger than ${maxBodyBytes >> 20} MiB`))
  })
  answer.pause()
}

/** Milliseconds until the connection must be established. */
const connectTimeoutMs = 10_000

/**
 * Returns the proxy for an address, by the rules of curl (https://curl.se/docs/manpage.html#ENVIRONMENT): `https_proxy`
 * or `http_proxy`, else `all_proxy`; lower case before upper case; none for the hosts in `no_proxy`. Two rules are
 * those of browsers and of Go: HTTP_PROXY counts in upper case too, and this machine itself is never proxied
 * (localhost, 127.0.0.0/8, ::1). Throws AppError `source-failed` if the variable contains no http or https address.
 */
export function findProxy(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  const value = (name: string) => environment[name] || environment[name.toUpperCase()] || undefined
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const name = `${url.protocol.slice(0, -1)}_proxy`
  const written = value(name) ?? value('all_proxy')
  if (written === undefined || staysHere(host)) return undefined
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (isExcepted(host, port, value('no_proxy') ?? '')) return undefined
  const text = written.includes('://') ? written : `http://${written}`
  const proxy = URL.canParse(text) ? new URL(text) : undefined
  if (proxy?.protocol === 'http:' || proxy?.protocol === 'https:') return proxy
  throw new AppError(
    'source-failed',
    `${name} names no proxy that can be used (${proxy?.protocol ?? 'no address'})`,
    {
      hint: `Set ${name} to an address like http://proxy.example:3128, or name ${host} in no_proxy.`,
    },
  )
}

/** Hosts that are never proxied: also sub-domains of localhost, as in browsers, and IPv4 written as IPv6. */
const staysHere = (host: string) => isLoopback(host) || /.\.localhost$|^::ffff:7f/.test(host)

/** Matches `*`, `example.com` (and its sub-domains), `.example.com`, `10.0.0.0/8`, each with or without a port. */
function isExcepted(host: string, port: string, list: string): boolean {
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      if (entry === '*') return true
      const [, name = '', bits, onlyPort] =
        /^\[?(.*?)\]?(?:\/(\d+))?(?::(\d+))?$/.exec(isIP(entry) ? `[${entry}]` : entry) ?? []
      if (name === '' || (onlyPort !== undefined && onlyPort !== port)) return false
      if (bits !== undefined) return isInSubnet(host, name, Number(bits))
      const domain = name.replace(/^\.|\.$/g, '')
      return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
    })
}

function isInSubnet(host: string, network: string, bits: number): boolean {
  const version = isIP(network)
  if (version === 0 || version !== isIP(host) || bits > (version === 4 ? 32 : 128)) return false
  const subnet = new BlockList()
  subnet.addSubnet(network, bits, version === 4 ? 'ipv4' : 'ipv6')
  return subnet.check(host, version === 4 ? 'ipv4' : 'ipv6')
}

const agents = {
  'http:': new HttpAgent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true }),
}
const tunnels = new Map<string, TunnelAgent>()

/** Returns the options of a request for `url`: the agent, and the proxy's host and the full path if a proxy is used. */
function route(
  url: URL,
  proxy: URL | undefined,
): RequestOptions & { readonly protocol: string; readonly agent: HttpAgent } {
  const scheme = url.protocol as keyof typeof agents
  if (proxy === undefined) return { ...target(url), agent: agents[scheme] }
  if (scheme === 'https:') {
    const agent = tunnels.get(proxy.href) ?? new TunnelAgent(proxy)
    tunnels.set(proxy.href, agent)
    return { ...target(url), agent }
  }
  const path = `${url.origin}${url.pathname}${url.search}`
  const headers = { host: url.host, ...proxyCredentials(proxy) }
  const { hostname, port, protocol } = target(proxy)
  const auth = target(url).auth
  return {
    hostname,
    port,
    protocol,
    auth,
    path,
    headers,
    agent: agents[proxy.protocol as keyof typeof agents],
  }
}

function target(url: URL) {
  const decoded = [url.username, url.password].map(decodeURIComponent)
  return {
    protocol: url.protocol,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    auth: url.username === '' ? undefined : decoded.join(':'),
  }
}

function proxyCredentials({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(words).toString('base64')}` }
}

/** Speaks TLS with the server itself, through a proxy that only forwards the bytes. */
class TunnelAgent extends HttpsAgent {
  private readonly proxy: URL

  constructor(proxy: URL) {
    super({ keepAlive: true })
    this.proxy = proxy
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    const host = String(options.host)
    openTunnel(this.proxy, `${isIP(host) === 6 ? `[${host}]` : host}:${options.port}`).then(
      socket => callback?.(null, super.createConnection({ ...options, socket } as RequestOptions) as Duplex),
      // Node's agent uses only the error.
      (thrown: Error) => callback?.(thrown, undefined as unknown as Duplex),
    )
    return undefined
  }
}

function openTunnel(proxy: URL, authority: string): Promise<Socket> {
  const send = proxy.protocol === 'https:' ? httpsRequest : httpRequest
  const { hostname, port } = target(proxy)
  const headers = { host: authority, ...proxyCredentials(proxy) }
  return new Promise((resolve, reject) => {
    const request = send({ hostname, port, method: 'CONNECT', path: authority, headers, agent: false })
    const timer = setTimeout(
      () => request.destroy(new Error(`no tunnel within ${connectTimeoutMs / 1000} s`)),
      connectTimeoutMs,
    )
    request.once('close', () => clearTimeout(timer))
    request.once('error', reject)
    request.once('connect', (answer, socket: Socket) => {
      clearTimeout(timer)
      if (answer.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy answered ${answer.statusCode} ${answer.statusMessage ?? ''}`.trim()))
    })
    // A proxy that does not support CONNECT sends an ordinary response.
    request.once('response', answer => {
      request.destroy()
      reject(new Error(`the proxy answered ${answer.statusCode} to CONNECT`))
    })
    request.end()
  })
}
