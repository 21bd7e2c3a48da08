/** From an application to a running server: host, port, ready line, browser, shutdown. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { AppError } from '../../core/errors.ts'
import { isLoopback } from '../fetch/loopback.ts'
import type { Access } from './security.ts'

/** The page keeps drafts per origin, and a port is part of it: the usual port stays the same between runs. */
const usualPort = 4477
const loopbackHost = '127.0.0.1'

/**
 * Starts listening. Without `port` the usual one is tried, then any free one. Throws AppError `port-taken`.
 * The URL of a server that others reach too does not hold the token: whoever may enter has it already, and logs are read.
 */
export async function listen(
  app: Hono,
  access: Access,
  { host = loopbackHost, port }: { host?: string | undefined; port?: number | undefined },
): Promise<{ server: Server; url: string }> {
  const server = serverOf(app)
  const bound = await bind(server, port ?? usualPort, host).catch((error: NodeJS.ErrnoException) => {
    if (port === undefined && error.code === 'EADDRINUSE') return bind(server, 0, host)
    throw new AppError('port-taken', `${host}:${port ?? usualPort}: ${error.message}`)
  })
  access.port = bound
  const url = `http://${urlHost(host)}:${bound}/`
  return { server, url: isLoopback(host) ? `${url}?token=${access.token}` : url }
}

/** Starts listening at exactly this address; 0 takes a free port. Throws AppError `port-taken`. */
export async function listenAt(
  app: Hono | RequestListener,
  host: string,
  port: number,
): Promise<{ server: Server; url: string; port: number }> {
  const server = serverOf(app)
  const bound = await bind(server, port, host).catch((error: NodeJS.ErrnoException) => {
    throw new AppError('port-taken', `${host}:${port}: ${error.message}`)
  })
  return { server, url: `http://${urlHost(host)}:${bound}`, port: bound }
}

/** An address as URLs and Host headers have it: IPv6 in brackets. */
export const urlHost = (address: string) => (address.includes(':') ? `[${address}]` : address)

function serverOf(app: Hono | RequestListener): Server {
  const server =
    typeof app === 'function'
      ? createServer(app)
      : (createAdaptorServer({ fetch: app.fetch, hostname: loopbackHost }) as Server)
  // A call may take an hour; the client's going away ends it, not a clock of the HTTP server.
  server.requestTimeout = 0
  // A caller that thinks for a while between two calls need not connect again, nor meet a socket that is just closing.
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

/** Opens the user's browser, unless told not to or there is none to open. A failure is not worth a word. */
export async function openBrowser(url: string, wanted: boolean): Promise<void> {
  const { CI, DISPLAY, WAYLAND_DISPLAY } = process.env
  const hasDisplay = process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined
  if (!wanted || CI || !hasDisplay) return
  const { default: open } = await import('open')
  const child = await open(url).catch(() => null)
  child?.on('error', () => {})
}
