/** Real parts of a network on this machine: a forward proxy, a TLS server with an authority of its own, recording servers. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'vitest'
import { resolveInRepository } from '../sources/testkit.ts'

type OnTestFinished = TestContext['onTestFinished']

/** Starts to listen on a free port, and ends with the test. */
async function listen(server: Server, onTestFinished: OnTestFinished): Promise<number> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return (server.address() as AddressInfo).port
}

export const listenOnce = (listener: RequestListener, onTestFinished: OnTestFinished) =>
  listen(createServer(listener), onTestFinished)

/** A real MCP server over HTTP: its address. */
export async function startMcpServer(onTestFinished: OnTestFinished): Promise<string> {
  const file = resolveInRepository('server/sources/fixtures/mcp-quirks-new.mjs')
  const child = spawn(process.execPath, [file, '--http'])
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const chunk of child.stdout) {
    const port = /listening (\d+)/.exec(String(chunk))?.[1]
    if (port !== undefined) return `http://127.0.0.1:${port}/mcp`
  }
  throw new Error('the MCP server did not start')
}

/** Passes requests on to an address, and records their headers. */
export function forward(address: string, recorded: IncomingHttpHeaders[]): RequestListener {
  return (incoming, outgoing) => {
    recorded.push(incoming.headers)
    const { method, headers } = incoming
    const inner = request(
      address,
      { method, headers: { ...headers, host: new URL(address).host } },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    inner.on('error', () => outgoing.destroy())
    incoming.pipe(inner)
  }
}

/** A forward proxy: what it was asked for, as `CONNECT host:port` or `GET http://…`. Every name leads to this machine. */
export async function startProxy(onTestFinished: OnTestFinished) {
  const asked: string[] = []
  const credentials: (string | undefined)[] = []
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    credentials.push(incoming.headers['proxy-authorization'])
    const url = new URL(incoming.url ?? '')
    const { method, headers } = incoming
    const inner = request(
      { port: url.port, path: url.pathname, method, headers, host: '127.0.0.1' },
      answer => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(outgoing)
      },
    )
    inner.on('error', () => outgoing.writeHead(502).end())
    incoming.pipe(inner)
  })
  server.on('connect', (incoming, socket) => {
    asked.push(`CONNECT ${incoming.url}`)
    credentials.push(incoming.headers['proxy-authorization'])
    const [, host, port] = /^(.*):(\d+)$/.exec(incoming.url ?? '') ?? []
    if (host === 'refused.example') return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const inner = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      inner.pipe(socket).pipe(inner)
    })
    for (const each of [inner, socket]) each.on('error', () => inner.destroy())
    onTestFinished(() => void inner.destroy())
  })
  return { port: await listen(server, onTestFinished), asked, credentials }
}

/** A TLS server for `host`, whose certificate an authority of its own has signed: its port, and the authority's file. */
export async function startTlsServer(
  { host, folder }: { readonly host: string; readonly folder: string },
  listener: RequestListener,
  onTestFinished: OnTestFinished,
) {
  const file = (name: string) => join(folder, name)
  const openssl = (words: string) => execFileSync('openssl', words.split(' '), { cwd: folder, stdio: 'pipe' })
  writeFileSync(file('names'), `subjectAltName=DNS:${host}`)
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  openssl(`req -x509 ${key} -keyout ca.key -out ca.pem -days 2 -subj /CN=company`)
  openssl(`req ${key} -keyout host.key -out host.csr -subj /CN=${host}`)
  openssl(
    'x509 -req -in host.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out host.pem -days 2 -extfile names',
  )
  const server = createTlsServer(
    { key: readFileSync(file('host.key')), cert: readFileSync(file('host.pem')) },
    listener,
  )
  return { port: await listen(server, onTestFinished), authority: file('ca.pem') }
}
