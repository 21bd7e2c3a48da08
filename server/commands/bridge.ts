/** `toolscope bridge [mcp.json…]`: serves MCP servers over plain HTTP in the protocol of llm-functions' scripts. */
import { resolve } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import { Trust } from '../config/trust.ts'
import { whatStarts } from '../config/what-starts.ts'
import { isLoopback } from '../fetch/loopback.ts'
import { bridgeTools, createBridge } from '../http/bridge-app.ts'
import { listenAt } from '../http/listen.ts'
import { serverToken } from '../http/token.ts'
import { openPeople } from '../people/people.ts'
import { isOwned } from '../process/owner.ts'
import { untilStopped } from '../process/run-with-limit.ts'
import { version } from '../process/version.ts'
import { mcpSource, withOptions } from '../recognise/detect-source.ts'
import { type McpJsonServer, readMcpJson } from '../recognise/mcp-json.ts'
import type { McpServerConfig } from '../sources/mcp-server-config.ts'
import type { SourceSpec } from '../sources/source.ts'
import { callRetention, snapshotRetention } from '../store/retention.ts'
import { snapshotsOfCalls } from '../versions/describe-snapshot.ts'
import { startValidator } from '../workers/validator.ts'
import { type CommandContext, defineCommand, fields, openFields, toLimitMs } from './command.ts'
import { openHistory } from './open-calls.ts'
import { type OpenInput, readOptions } from './open-catalog.ts'
import { openConfig } from './open-config.ts'
import { openPins } from './open-pins.ts'

const usualPort = 8808

export const bridgeCommand = defineCommand({
  name: 'bridge',
  description: 'Serve the MCP servers of an mcp.json over plain HTTP: GET /tools, POST /tools/:name.',
  input: z.object({
    files: z.array(z.string()).default([]).describe('Files with "mcpServers"; default ./mcp.json.'),
    port: fields.port.optional().describe('Port; default MCP_BRIDGE_PORT or 8808, 0 for a free one.'),
    host: z
      .string()
      .default('127.0.0.1')
      .describe('Address to listen on; default this machine only. Other addresses need a token.'),
    token: fields.token,
    tokenFile: fields.tokenFile,
    timeout: fields.timeLimit
      .default('60s')
      .describe('Time limit of one call, unless its source sets one: 500ms, 60 or 60s, 5m, 1h.'),
    history: z.boolean().default(false).describe('Save each call in history, as the page and `call` do.'),
    people: z
      .boolean()
      .default(false)
      .describe(
        'Also accept the tokens of people, each with its rights, and save each call in history: see toolscope people.',
      ),
    ...openFields,
    trust: fields.trust.describe('Start what ./mcp.json names in this run without asking.'),
    maxCalls: fields.maxCalls,
    database: fields.database,
  }),
  positionals: ['files'],
  examples: [
    ['toolscope bridge', 'the servers of ./mcp.json at port 8808'],
    ['toolscope bridge path/to/mcp.json --port 0 --token-file token.txt', 'a free port and a token'],
  ],
  exitCodes: {
    0: 'it was stopped',
    2: 'the command line or a file of servers is invalid',
    3: 'a file is missing or names no server',
  },
  output: z.object({ url: z.string() }),

  async run(input, context) {
    const loopback = isLoopback(input.host)
    // The scripts of llm-functions send no token.
    const reach = { isLocal: loopback, by: `--host ${input.host}`, otherwise: 'none' } as const
    const { token } = await serverToken(input, reach, context)
    if (token === undefined)
      context.say(
        'Every program of this machine may call these tools. TOOLSCOPE_TOKEN or --token-file FILE asks them for a token.',
      )
    const servers = await trustedServers(input, context)
    const catalog = new Catalog({ directory: context.directory, environment: context.environment })
    const unprefixed = new Set<string>()
    // A server that fails to start does not affect the others: the failure is its state.
    const opened = Promise.all(
      servers.map(async ({ spec, prefix }) => {
        const state = await catalog.sources.open(spec)
        if (!prefix) unprefixed.add(state.name)
        context.say(
          state.error === undefined
            ? `${state.name}: ${state.toolCount} tools, MCP ${state.protocol}, ${state.durationMs} ms`
            : `${state.name}: failed. ${state.error.detail}\n${indent(state.error.output ?? state.error.hint)}`,
        )
      }),
    )
    const config = openConfig({}, context)
    const pins = openPins({ catalog, config }, context)
    // History says which person made a call.
    const needsHistory = input.history || input.people
    const history = needsHistory ? await openHistory(input, config, context) : undefined
    const people = input.people && history ? await openPeople(history.store, context.say) : undefined
    const validator = startValidator()
    const versions = history && snapshotsOfCalls(catalog.sources, history.store, context)
    const call = createCaller({
      tools: catalog,
      validator,
      pins,
      maxCalls: input.maxCalls,
      record: history && versions && { ...history, versions },
    })
    const app = createBridge({
      call,
      validator,
      access: { token, loopback, people },
      catalog,
      pins,
      tools: bridgeTools(catalog, unprefixed),
      unprefixed,
      opened,
      timeoutMs: toLimitMs(input.timeout),
      version,
    })
    try {
      const port = input.port ?? readPort(context.environment)
      const { server, url } = await listenAt(app, input.host, port)
      const stopped = untilStopped(context.signal)
      await Promise.race([opened, stopped])
      context.write(`toolscope bridge ready: ${url}\n`)
      await stopped
      server.closeAllConnections()
      server.close()
      return { output: { url } }
    } finally {
      await catalog.close()
      await validator.close()
      await people?.close()
      await history?.close()
    }
  },

  print() {
    // The ready line was the output.
  },
})

interface TrustedServer {
  readonly spec: SourceSpec
  readonly prefix: boolean
}

/**
 * Returns the servers of the named files. `./mcp.json` is the default, so the user must trust it like a toolscope.json.
 */
async function trustedServers(
  input: OpenInput & { readonly files: readonly string[]; readonly trust: boolean },
  context: CommandContext,
): Promise<readonly TrustedServer[]> {
  const { files, trust: isTrusted } = input
  const options = readOptions(input, context)
  const servers = readFiles(files, context).filter(server => !server.disabled)
  const entries = servers.map(server => ({
    // A pin must find a server of a file also under another name.
    spec: {
      ...withOptions(mcpSource(server), options),
      origin: { from: 'file' as const, file: server.file ?? '' },
    },
    starts: 'broken' in server.config ? undefined : whatStarts(startingEntry(server.config)),
  }))
  const file = resolve(context.directory, 'mcp.json')
  const isNamed = files.length > 0
  if (!isNamed && !isOwned(file))
    throw new AppError('config-untrusted', `${file} belongs to another user`, { hint: nameFile })
  const wayOut = `${nameFile}. For this run only: --trust.`
  const trust = new Trust(isNamed ? null : file, { ...context, wayOut }, isNamed || isTrusted)
  const { specs } = trust.apply({ entries, callRetention, snapshotRetention })
  await trust.demand()
  return specs.map((spec, at) => ({ spec, prefix: servers[at]?.prefix ?? true }))
}

const nameFile = 'If you want it, name it: toolscope bridge mcp.json'

const startingEntry = (config: McpServerConfig) =>
  'url' in config ? { mcp: config } : { mcp: config, directory: config.directory }

function readFiles(files: readonly string[], context: CommandContext): readonly McpJsonServer[] {
  const named = files.length > 0 ? files : ['mcp.json']
  return named.flatMap(file => {
    const path = resolve(context.directory, file)
    const servers = readMcpJson(path)
    if (servers !== null) return servers
    throw new AppError('source-not-found', `${path} is not a file with "mcpServers" (or "servers")`, {
      hint: 'Name the file: toolscope bridge path/to/mcp.json',
    })
  })
}

function readPort(environment: NodeJS.ProcessEnv): number {
  const port = Number(environment.MCP_BRIDGE_PORT || usualPort)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new AppError(
    'usage',
    `MCP_BRIDGE_PORT is "${environment.MCP_BRIDGE_PORT}"; it must be a number from 0 to 65535`,
  )
}

const indent = (text: string) => text.replace(/^/gm, '  | ')
