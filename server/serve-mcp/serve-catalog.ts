/** Serves the catalog as an MCP server over stdio or at an address. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { AppError, toAppError } from '../../core/errors.ts'
import { isLoopback } from '../fetch/loopback.ts'
import { type BridgeAccess, bridgeGuard, type GuardedRequest, recordRefusal } from '../http/bridge-guard.ts'
import { readSender } from '../http/gate.ts'
import { listenAt } from '../http/listen.ts'
import { serverToken, type TokenContext, type TokenInput } from '../http/token.ts'
import type { People, Person } from '../people/people.ts'
import { untilStopped } from '../process/run-with-limit.ts'
import { HttpSessions } from './http-sessions.ts'
import { type McpFactory, mcpFactory, type ServedCatalog } from './mcp-factory.ts'
import { type ScriptedCatalog, scriptedFactory } from './scripted-factory.ts'

const maxBodyBytes = 32 * 1024 * 1024
/** People whose sessions are kept. */
const maxPeople = 1_000

/** The parts of a server that options of the command line do not set. */
export type ServedParts = Omit<ServedCatalog & ScriptedCatalog, 'allowDestructive' | 'files' | 'timeoutMs'>

/** With `scripted`, one tool replaces all of them. */
export function createFactory(
  input: {
    readonly scripted: boolean
    readonly allowDestructive: boolean
    readonly files: boolean
    readonly timeoutMs: number
    readonly agent?: string | undefined
    readonly agents?: string | undefined
    readonly variables?: unknown
  },
  served: ServedParts,
): McpFactory {
  const { allowDestructive, files, timeoutMs } = input
  if (!input.scripted) return mcpFactory({ ...served, allowDestructive, timeoutMs })
  if ((input.agent ?? input.agents ?? input.variables) !== undefined)
    throw new AppError(
      'usage',
      '--scripted serves the whole catalog; it does not go with --agent, --agents and --variables',
    )
  return scriptedFactory({ ...served, allowDestructive, files, timeoutMs })
}

/** Serves until the client closes our stdin, or a signal arrives. */
export async function overStdio(factory: McpFactory, signal: AbortSignal): Promise<undefined> {
  // A client of 2026-07-28 receives log messages only with the answer to a request.
  const handle = serveStdio(({ era }) =>
    era === 'legacy' ? factory.buildConnection({ hasStreams: false }) : factory.build(era),
  )
  const ended = new Promise<void>(resolve => process.stdin.once('end', resolve).once('close', resolve))
  await Promise.race([ended, untilStopped(signal)])
  await handle.close().catch(() => {})
}

interface McpEndpoint {
  answer(request: Request): Promise<Response>
  close(): Promise<void>
}

function createEndpoint(factory: McpFactory): McpEndpoint {
  const handler = createMcpHandler(({ era }) => factory.build(era), { maxRequestBodySize: maxBodyBytes })
  const sessions = new HttpSessions(() => factory.buildConnection({ hasStreams: true }), { maxBodyBytes })
  const stop = factory.onToolsChanged(() => handler.notify.toolsChanged())
  return {
    answer: async request => (await sessions.answer(request)) ?? handler.fetch(request),
    async close() {
      stop()
      await sessions.close()
      await handler.close()
    },
  }
}

/**
 * Serves until a signal arrives. Prints the address and the header with a random token; resolves with the address.
 *
 * @param command that serves, for the line that it prints
 */
export async function overHttp(
  factory: McpFactory,
  input: TokenInput & { host: string; port: number; withoutToken: boolean },
  context: TokenContext & {
    write(text: string): void
    signal: AbortSignal
    /** The people that are served besides those who have the token. */
    readonly people?: People | undefined
    /** Returns the servers of a person, which call `refused` with the tool of each call that is refused. */
    readonly factoryFor?: ((person: Person, refused: (target: string) => void) => McpFactory) | undefined
  },
  command = 'mcp',
): Promise<string> {
  const { write, say, signal } = context
  const loopback = isLoopback(input.host)
  const reach = { isLocal: loopback, by: `--host ${input.host}` }
  const otherwise = input.withoutToken ? 'none' : 'random'
  const { token, isRandom } = await serverToken(input, { ...reach, otherwise }, context)
  const { people } = context
  /** The sender of the request of a call: the server of a session, which makes the call, does not know it. */
  const senders = new AsyncLocalStorage<Pick<GuardedRequest, 'headers' | 'address'>>()
  const access: BridgeAccess = { token, loopback, people, program: `${command} --http` }
  const operator = createEndpoint(factory)
  // A session belongs to one person, and its server has only what this person sees.
  const endpoints = new LRUCache<string, McpEndpoint>({
    max: maxPeople,
    dispose: endpoint => void endpoint.close(),
  })
  const findEndpoint = (person: Person | undefined): McpEndpoint => {
    if (person === undefined || context.factoryFor === undefined) return operator
    const key = JSON.stringify(person)
    const known = endpoints.get(key)
    if (known !== undefined) return known
    const refused = (target: string) =>
      recordRefusal(access, { ...senders.getStore(), person, what: 'call', target })
    const { answer, close } = createEndpoint(context.factoryFor(person, refused))
    // The calls of a session go on without a connection, so they end with its servers.
    const stop = people?.whileValid(person, () => endpoints.delete(key))
    const endpoint: McpEndpoint = {
      answer,
      close() {
        stop?.()
        return close()
      },
    }
    endpoints.set(key, endpoint)
    return endpoint
  }
  const app = new Hono()
  app.onError((thrown, answer) => answer.text(`${toAppError(thrown).detail}\n`, 500))
  app.use(bridgeGuard(access))
  app.all('/mcp', async request => {
    const sender = { headers: request.req.header(), address: readSender(request).address }
    return senders.run(sender, () => findEndpoint(request.get('person')).answer(request.req.raw))
  })
  const { server, url } = await listenAt(app, input.host, input.port)
  write(`toolscope ${command} ready: ${url}/mcp\n`)
  if (isRandom) say(`Clients send the header  Authorization: Bearer ${token}`)
  await untilStopped(signal)
  await operator.close()
  await Promise.all([...endpoints.values()].map(endpoint => endpoint.close()))
  server.closeAllConnections()
  server.close()
  return `${url}/mcp`
}
