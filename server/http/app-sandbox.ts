/**
 * The second port of `serve`, the origin of the apps (MCP Apps). It answers only two requests for each app, each once:
 * the frame, which is ours and relays the messages, and the app's HTML in a frame of its own. It has no cookie, no token
 * and no API.
 */
import type { Server } from 'node:http'
import { type Context, Hono } from 'hono'
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
  private server: Server | undefined
  private port = 0

  constructor(access: Access, settings: AppSandboxSettings) {
    this.access = access
    this.settings = settings
  }

  /** Starts to listen on the page's address. Throws AppError `port-taken` if the user named the port. */
  async listen(host: string): Promise<void> {
    const { port } = this.settings
    const app = this.routes()
    const usual = this.access.port === usualPort ? usualPort + 1 : 0
    const listening =
      port === undefined
        ? await listenAt(app, host, usual).catch(() => listenAt(app, host, 0))
        : await listenAt(app, host, port)
    this.server = listening.server
    this.port = listening.port
  }

  /**
   * Returns the origin of the apps for a browser that reached the page by this Host header; undefined if there is none.
   */
  originFor(host: string | undefined): string | undefined {
    const { origin, isProxied } = this.settings
    if (host === undefined || this.port === 0 || !isAllowed(host, this.access)) return undefined
    if (origin !== undefined) return origin
    return isProxied ? undefined : `http://${toHostName(host)}:${this.port}`
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
    this.server?.closeAllConnections()
    this.server?.close()
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

function setHeaders({ res: { headers } }: Context): void {
  headers.set('Cache-Control', 'no-store')
  headers.set('X-Content-Type-Options', 'nosniff')
  headers.set('Referrer-Policy', 'no-referrer')
  // A name that is looked up could carry data out.
  headers.set('X-DNS-Prefetch-Control', 'off')
}

const toHostName = (host: string) => host.replace(/:\d+$/, '')

/** Returns whether browsers reach the page only through a proxy, as far as its options say. */
export const isBehindProxy = (host: string | undefined, hosts: readonly string[]) =>
  hosts.length > 0 && (host === undefined || isLoopback(host))
