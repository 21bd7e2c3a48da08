/** Starts an HTTP server for an application: host, port, URL, browser. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { AppError } from '../../core/errors.ts'
import { isLoopback } from '../fetch/loopback.ts'
import type { Access } from './security.ts'

/** The page stores drafts per origin, which includes the port: the usual port stays the same between runs. */
export const usualPort = 4477
const loopbackHost = '127.0.0.1'

/**
 * Starts listening. Without `port` it tries the usual port, then any free one. Throws AppError `port-taken`.
 * The URL contains the token only if the server is local: users of a shared server already have the token, and its logs
 * can be read by others.
 *
 * @param isLocal whether only this machine reaches the server, also not through a proxy
 */
export async function listen(
  app: Hono,
  access: Access,
  {
    host = loopbackHost,
    port,
    isLocal,
  }: { host?: string | undefined; port?: number | undefined; isLocal: boolean },
): Promise<{ server: Server; url: string }> {
  const server = createHttpServer(app)
  const bound = await bind(server, port ?? usualPort, host).catch((error: NodeJS.ErrnoException) => {
    if (port === undefined && error.code === 'EADDRINUSE') return bind(server, 0, host)
    throw new AppError('port-taken', `${host}:${port ?? usualPort}: ${error.message}`)
  })
  access.port = bound
  const url = `http://${urlHost(host)}:${bound}/`
  return { server, url: isLocal ? `${url}?token=${access.token}` : url }
}

/** Starts listening at exactly this address; 0 takes a free port. Throws AppError `port-taken`. */
export async function listenAt(
  app: Hono | RequestListener,
  host: string,
  port: number,
): Promise<{ server: Server; url: string; port: number }> {
  const server = createHttpServer(app)
  const bound = await bind(server, port, host).catch((error: NodeJS.ErrnoException) => {
    throw new AppError('port-taken', `${host}:${port}: ${error.message}`)
  })
  return { server, url: `http://${urlHost(host)}:${bound}`, port: bound }
}

/** Returns an address as URLs and Host headers need it: IPv6 in brackets. */
export const urlHost = (address: string) => (address.includes(':') ? `[${address}]` : address)

/** Returns the host names to accept: the given ones, and the listening address unless it is a wildcard (`0.0.0.0`). */
export function listAcceptedHosts({
  host,
  allowHost = '',
}: {
  host?: string | undefined
  allowHost?: string | undefined
}): string[] {
  const named = allowHost.split(',').map(name => name.trim())
  const own = host === undefined || isLoopback(host) || /^(0\.0\.0\.0|::|\[::\])$/.test(host) ? [] : [host]
  return [...named, ...own.map(each => (each.includes(':') ? `[${each}]` : each))].filter(name => name !== '')
}

function createHttpServer(app: Hono | RequestListener): Server {
  const server =
    typeof app === 'function'
      ? createServer(app)
      : (createAdaptorServer({ fetch: app.fetch, hostname: loopbackHost }) as Server)
  // A call may take an hour; it ends when the client disconnects, not by a timeout of the HTTP server.
  server.requestTimeout = 0
  // Keeps the connection open if a caller pauses between calls: it need not reconnect or meet a socket that is closing.
  server.keepAliveTimeout = 75_000
  return server
}

function bind(server: Server, port: number, host = loopbackHost): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Opens the user's browser unless it is unwanted or cannot be shown. Failures are ignored. */
export async function openBrowser(url: string, wanted: boolean): Promise<void> {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env
  const hasDisplay = process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined
  if (!wanted || CI || !hasDisplay) return
  const { default: open } = await import('open')
  const child = await open(url).catch(() => null)
  child?.on('error', () => {})
}
