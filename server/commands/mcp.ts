/** `toolscope mcp [sources…]`: the catalog as an MCP server, over stdio or, with --http, at an address. */

import { createMcpHandler } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Hono } from 'hono'
import { z } from 'zod'
import { type Agent, renderInstructions, variableValues } from '../../core/agent/agent.ts'
import { AppError, toAppError } from '../../core/errors.ts'
import { bridgeGuard } from '../bridge/bridge-guard.ts'
import { DEFAULT_TIMEOUT_MS } from '../calls/prepare-call.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { isLocalOnly, listenAt, untilStopped } from '../http/listen.ts'
import { type McpFactory, mcpFactory } from '../mcp-server/mcp-factory.ts'
import { type ScriptedCatalog, scriptedFactory } from '../mcp-server/scripted-factory.ts'
import type { Selection } from '../mcp-server/served-tools.ts'
import { type CommandContext, defineCommand, fields, printError } from './command.ts'
import { openCalls } from './open-calls.ts'
import { prepareCatalog, reportFailures } from './open-catalog.ts'

const MAX_BODY_BYTES = 32 * 1024 * 1024

export const mcp = defineCommand({
  name: 'mcp',
  description: 'Serve the tools of the sources as an MCP server, over stdio unless --http.',
  input: z.object({
    sources: fields.sources,
    agent: z.string().optional().describe('Only the tools of this agent of an llm-functions directory.'),
    scripted: z
      .boolean()
      .default(false)
      .describe('Serve ONE tool that runs bash scripts over all of them, instead of each tool.'),
    allowDestructive: z
      .boolean()
      .default(false)
      .describe('With --scripted: let scripts call tools that ask before they are called.'),
    http: z.boolean().default(false).describe('Serve Streamable HTTP at /mcp instead of stdio.'),
    port: fields.port.default(0).describe('With --http: port; a free one unless given.'),
    host: z
      .string()
      .default('127.0.0.1')
      .describe('With --http: address; others than this machine need --token.'),
    token: z.string().min(8).optional().describe('With --http: answer only Authorization: Bearer <token>.'),
    timeoutMs: fields.timeLimit
      .default(DEFAULT_TIMEOUT_MS)
      .describe('Time limit of one call in milliseconds.'),
    config: fields.config,
    database: fields.database,
  }),
  positionals: ['sources'],
  output: z.object({ url: z.string().optional() }),

  async run(input, context) {
    const prepared = await prepareCatalog(input, context)
    const { catalog, specs, failures } = prepared
    if (specs.length === 0)
      throw (
        failures[0] ??
        new AppError('usage', 'no source was named and there is no toolscope.json here or above')
      )
    for (const error of failures) printError(error, context)
    const calls = await openCalls(input, prepared, context)
    // stdout belongs to the protocol; what does not start is said beside it, and harms no other.
    const opened = Promise.all(specs.map(spec => catalog.sources.add(spec))).then(() =>
      reportFailures({ ...prepared, failures: [] }, context),
    )
    try {
      // An agent is known only once its tree has been read.
      if (input.agent !== undefined) await opened
      const agent = input.agent === undefined ? undefined : findAgent(catalog, input.agent)
      const factory = scriptedOr(input, { catalog, ...calls, opened }, () =>
        mcpFactory({
          catalog,
          call: calls.call,
          opened,
          timeoutMs: input.timeoutMs,
          instructions: agent && instructionsOf(agent),
          selection: {
            agentToolsOnly: context.environment.AGENT_TOOLS_ONLY === 'true',
            agent: agent && refsOf(agent),
          },
        }),
      )
      const url = input.http ? await overHttp(factory, input, context) : await overStdio(factory)
      return { output: url === undefined ? {} : { url } }
    } finally {
      await calls.close()
    }
  },

  print() {
    // The protocol was the output.
  },
})

/** With --scripted one tool stands for all of them. */
function scriptedOr(
  input: { scripted: boolean; allowDestructive: boolean; timeoutMs: number; agent?: string | undefined },
  parts: Pick<ScriptedCatalog, 'catalog' | 'validator' | 'call' | 'opened'>,
  otherwise: () => McpFactory,
): McpFactory {
  if (!input.scripted) return otherwise()
  if (input.agent !== undefined)
    throw new AppError('usage', '--scripted serves the whole catalog; it does not go with --agent')
  const { allowDestructive, timeoutMs } = input
  return scriptedFactory({ ...parts, allowDestructive, timeoutMs })
}

function findAgent(catalog: Catalog, name: string): Agent {
  const agents = catalog.agents()
  const found = agents.find(agent => agent.name === name)
  if (found !== undefined) return found
  const known = agents.map(agent => agent.name).join(', ') || 'none'
  throw new AppError('usage', `there is no agent "${name}" in the sources; there are: ${known}`, {
    hint: 'Agents come from llm-functions directories: toolscope mcp <directory> --agent <name>.',
  })
}

function instructionsOf(agent: Agent): string | undefined {
  const values = { ...variableValues(agent.variables, {}), ...agent.builtIn }
  return renderInstructions(agent.instructions, values) || undefined
}

function refsOf({ ownTools, sharedTools }: Agent): Selection['agent'] {
  const refs = (tools: Agent['ownTools']) =>
    new Set(tools.flatMap(({ ref }) => (ref === undefined ? [] : [ref])))
  return { own: refs(ownTools), shared: refs(sharedTools) }
}

/** Until the client closes our stdin, or a signal comes. */
async function overStdio(factory: McpFactory): Promise<undefined> {
  const handle = serveStdio(() => {
    const server = factory.build()
    const stop = factory.onToolsChanged(() => void server.sendToolListChanged().catch(() => {}))
    server.onclose = stop
    return server
  })
  const ended = new Promise<void>(resolve => process.stdin.once('end', resolve).once('close', resolve))
  await Promise.race([ended, untilStopped()])
  await handle.close().catch(() => {})
}

async function overHttp(
  factory: McpFactory,
  input: { host: string; port: number; token?: string | undefined },
  context: CommandContext,
): Promise<string> {
  const loopback = isLocalOnly(input.host, input.token)
  const handler = createMcpHandler(() => factory.build(), { maxRequestBodySize: MAX_BODY_BYTES })
  const stop = factory.onToolsChanged(() => handler.notify.toolsChanged())
  const app = new Hono()
  app.onError((thrown, answer) => answer.text(`${toAppError(thrown).detail}\n`, 500))
  app.use(bridgeGuard({ token: input.token, loopback }))
  app.all('/mcp', answer => handler.fetch(answer.req.raw))
  const { server, url } = await listenAt(app, input.host, input.port)
  context.write(`toolscope mcp ready: ${url}/mcp\n`)
  await untilStopped()
  stop()
  await handler.close()
  server.closeAllConnections()
  server.close()
  return `${url}/mcp`
}
