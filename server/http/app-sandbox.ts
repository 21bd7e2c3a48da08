/**
 * The second port of `serve`, the origin of the apps (MCP Apps). It answers only two requests for each app, each once:
 * the frame, which is ours and relays the messages, and the app's HTML in a frame of its own. It has no cookie, no token
 * and no API.
 */
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { type Context, Hono } from 'hono'
import { AppError } from '../../core/errors.ts'
import { isLoopback } from '../fetch/loopback.ts'
import { OneTimeCodes } from '../sign-in/one-time-codes.ts'
import { addObserver, type FrameSettings, renderFrame } from './app-frame.ts'
import { listenAt, usualPort } from './listen.ts'
import { type Access, isAllowed } from './security.ts'

/** Milliseconds within which the page must load a frame. */
const lifetimeMs = 60_000

/** The user's settings for the origin of the apps. */
export interface AppSandboxSettings {
  /** Undefined: the port after the page's usual one, or any free port. */
  readonly port: number | undefined
  /** The address under which browsers reach the port behind a proxy: `https://apps.example.com`. */
  readonly origin: string | undefined
  /** Whether a proxy is in front of the page: its browsers do not reach the port by the page's own host name. */
  readonly isProxied: boolean
}

export interface AppFrame {
  /** The HTML of the app. */
  readonly html: string
  /** Its Content-Security-Policy, without `frame-ancestors`. */
  readonly policy: string
  /** The `allow` attribute of its frame: the permissions that the user has granted. */
  readonly allow: string
}

interface StoredFrame extends AppFrame {
  readonly origin: string
  /** The origin of the page that shows it. */
  readonly page: string
}

export class AppSandbox {
  private readonly frames = new OneTimeCodes<StoredFrame>(lifetimeMs)
  private readonly documents = new OneTimeCodes<StoredFrame & { readonly nonce: string }>(lifetimeMs)
  private readonly access: Access
  private readonly settings: AppSandboxSettings
  private servers: readonly Server[] = []
  private port = 0
  /** Whether the port is reached by `localhost` and by 127.0.0.1. */
  private hasTwoNames = false

  constructor(access: Access, settings: AppSandboxSettings) {
    this.access = access
    this.settings = settings
  }

  /** Starts to listen on the page's address. Throws AppError `port-taken` if the user named the port. */
  async listen(host: string): Promise<void> {
    const { port } = this.settings
    const usual = this.access.port === usualPort ? usualPort + 1 : 0
    if (port !== undefined) return this.listenOn(host, port)
    await this.listenOn(host, usual).catch(() => this.listenOn(host, 0))
  }

  /** The name localhost can also mean ::1, where the port must not belong to another program. */
  private async listenOn(host: string, wanted: number): Promise<void> {
    const app = this.routes()
    const { server, port } = await listenAt(app, host, wanted)
    this.servers = [server]
    this.port = port
    this.hasTwoNames = host === '127.0.0.1' || host === '0.0.0.0'
    if (host !== '127.0.0.1') return
    const second = await listenAt(app, '::1', port).catch(() => undefined)
    if (second !== undefined) this.servers = [server, second.server]
    else if (await isUsed('::1', port)) {
      this.close()
      throw new AppError('port-taken', `[::1]:${port}: it belongs to another program`)
    }
  }

  /**
   * Returns the origin of the apps for a browser that sent this Host header; undefined if apps cannot be reached by it.
   */
  originFor(host: string | undefined): string | undefined {
    const { origin, isProxied } = this.settings
    if (host === undefined || this.port === 0 || !isAllowed(host, this.access)) return undefined
    if (origin !== undefined) return origin
    if (isProxied) return undefined
    const name = toHostName(host)
    return `http://${this.hasTwoNames ? toOtherSite(name) : name}:${this.port}`
  }

  /** Returns why there is no origin, and what to do. */
  describeAbsence(): string {
    return this.settings.isProxied
      ? 'A proxy is in front of this server, and it serves no second origin for apps: start it with --app-port PORT and --app-origin https://apps.example.com, and let the proxy pass that address to the port.'
      : 'This server has no second port for apps.'
  }

  /** Hosts that no app may reach. */
  get ownHosts(): readonly string[] {
    const { origin } = this.settings
    return [...this.access.hosts, ...(origin === undefined ? [] : [new URL(origin).hostname])]
  }

  /**
   * Returns the address of a frame, which answers once.
   *
   * @param page the origin of the page that shows it
   */
  addFrame(frame: AppFrame, origin: string, page: string): string {
    return `${origin}/frame/${this.frames.create({ ...frame, origin, page })}`
  }

  close(): void {
    this.port = 0
    for (const server of this.servers) {
      server.closeAllConnections()
      server.close()
    }
  }

  private routes(): Hono {
    const app = new Hono()
    app.use(async (context, next) => {
      if (!this.isOwnRequest(context)) context.res = context.text('Forbidden', 403)
      else await next()
      setHeaders(context)
    })
    app.get('/frame/:code', context => this.answerFrame(context, context.req.param('code')))
    app.get('/app/:code', context => this.answerDocument(context, context.req.param('code')))
    app.all('*', context => context.text('Not found', 404))
    return app
  }

  /** Only a frame of the page loads something here. Browsers that send Sec-Fetch-Dest say so. */
  private isOwnRequest({ req }: Context): boolean {
    const { origin } = this.settings
    const { hosts } = this.access
    const host = req.header('host')
    const names = [...hosts.map(toHostName), ...(origin === undefined ? [] : [new URL(origin).host])]
    if (host === undefined || !isAllowed(host, { port: this.port, hosts: names })) return false
    if (req.header('origin') !== undefined) return false
    return ['iframe', undefined].includes(req.header('sec-fetch-dest'))
  }

  private answerFrame(context: Context, code: string): Response {
    const frame = this.frames.use(code)
    if (frame === undefined) return context.text('This frame was loaded already.', 410)
    const nonce = crypto.randomUUID()
    const { page, origin, allow } = frame
    const path = `/app/${this.documents.create({ ...frame, nonce })}`
    const settings: FrameSettings = { page, path, nonce, allow }
    const { html, hashes } = renderFrame(settings)
    context.header(
      'Content-Security-Policy',
      [
        "default-src 'none'",
        `script-src ${hashes.script}`,
        `style-src ${hashes.style}`,
        // The path also keeps the app from going to another address.
        `frame-src ${origin}/app/`,
        `frame-ancestors ${page}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; '),
    )
    return context.html(html)
  }

  private answerDocument(context: Context, code: string): Response {
    const document = this.documents.use(code)
    if (document === undefined) return context.text('This app was loaded already.', 410)
    const { html, policy, origin, page, nonce } = document
    context.header(
      'Content-Security-Policy',
      `${policy}; frame-ancestors ${origin} ${page}; sandbox allow-scripts allow-forms`,
    )
    return context.html(addObserver(html, nonce))
  }
}

/** Returns whether a program answers at an address. A machine without IPv6 has no such program. */
function isUsed(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port })
    const end = (isAnswered: boolean) => {
      socket.destroy()
      resolve(isAnswered)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

function setHeaders({ res: { headers } }: Context): void {
  headers.set('Cache-Control', 'no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  // A name that is looked up could carry data out.
  headers.set('X-DNS-Prefetch-Control', 'off')
}

/**
 * Returns another name of this machine. Browsers give each site a process of its own, and ports are one site: an app that
 * never pauses would stop a page of its own site.
 */
const toOtherSite = (name: string) =>
  name === 'localhost' ? '127.0.0.1' : name === '127.0.0.1' ? 'localhost' : name

const toHostName = (host: string) => host.replace(/:\d+$/, '')

/** Returns whether browsers reach the page only through a proxy, as far as its options say. */
export const isBehindProxy = (host: string | undefined, hosts: readonly string[]) =>
  hosts.length > 0 && (host === undefined || isLoopback(host))
