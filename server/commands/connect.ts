/** `toolscope connect CLIENT [sources…]`: prints what gives a source to another MCP client. It writes no file. */
import { homedir } from 'node:os'
import { z } from 'zod'
import { connection } from '../../core/api/clients.ts'
import { connectClientIds } from '../../core/prompt/connect-clients.ts'
import { plainLine } from '../../core/text/plain-text.ts'
import { type ConnectSource, connectSource, uncertainKinds } from '../recognise/connect-entry.ts'
import { configurationFields, defineCommand, sourceExits, sourceFields } from './command.ts'
import { namedFailure, openSources, type Prepared, prepareNamed } from './open-catalog.ts'

export const connectCommand = defineCommand({
  name: 'connect',
  description:
    'Print the line, the part of a file or the link that gives a source to another MCP client. No file is changed.',
  input: z.object({
    client: z.enum(connectClientIds).describe(`The client: ${connectClientIds.join(', ')}.`),
    ...sourceFields,
    via: z
      .enum(['server', 'toolscope'])
      .optional()
      .describe(
        'server: the client starts or reaches the server itself; toolscope: it starts "toolscope mcp". Default: server for an MCP server that the client can have.',
      ),
    ...configurationFields,
  }),
  positionals: ['client', 'sources'],
  examples: [
    ['toolscope connect claude-code "npx -y @modelcontextprotocol/server-memory"', 'a line for Claude Code'],
    ['toolscope connect vscode examples/functions', 'tools that are no MCP server, through Toolscope'],
  ],
  notes: [
    'Without --via, a program or an address is opened once, to see whether it is an MCP server. With --via, nothing is started.',
    'A secret is printed as a variable. The text says which ones to set.',
  ],
  exitCodes: sourceExits,
  output: z.object({ connections: z.array(connection) }),

  async run(input, context) {
    const prepared = await prepareNamed(input, context)
    const { catalog, specs, failures, context: base } = prepared
    try {
      const unknown = specs.filter(({ kind }) => input.via === undefined && uncertainKinds.includes(kind))
      if (unknown.length > 0) await openSources(prepared, unknown, context)
      const failure = failures[0] ?? (unknown.length > 0 ? namedFailure(input, prepared) : undefined)
      if (failure !== undefined) throw failure
      const machine = { platform: process.platform, home: homedir(), environment: context.environment }
      const connections = specs.map(spec =>
        connectSource(toSource(spec, catalog), input, { directory: base.directory, machine }),
      )
      return { output: { connections } }
    } finally {
      await catalog.close()
    }
  },

  print({ connections }, context) {
    for (const { texts, notes } of connections) {
      for (const { about, text } of texts) context.write(`${plainLine(about)}\n\n${text.trimEnd()}\n\n`)
      for (const note of notes) context.say(note)
    }
  },
})

function toSource(spec: Prepared['specs'][number], { sources }: Prepared['catalog']): ConnectSource {
  const opened = sources.list().find(({ name }) => sources.get(name).spec === spec)
  const { settings, kind, label } = spec
  return { name: settings.name, kind: opened?.kind ?? kind, label: opened?.label ?? label, spec }
}
