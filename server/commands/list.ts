/** `toolscope list`: the tools of the sources. */
import { z } from 'zod'
import type { SourceState } from '../../core/api/sources.ts'
import { firstLine } from '../../core/catalog/summarize-tool.ts'
import { exitCodes } from '../../core/errors.ts'
import { configField, databaseField, defineCommand, sourcesField } from './command.ts'
import { keptSnapshots, printSnapshots } from './list-snapshots.ts'
import { openCatalog, openFailures } from './open-catalog.ts'
import { printError } from './print-error.ts'
import { snapshotShape } from './snapshot.ts'

const listedTool = z.object({
  ref: z.string(),
  name: z.string(),
  source: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  callable: z.boolean(),
  hasOutputSchema: z.boolean(),
})

const problem = z.object({
  source: z.string(),
  name: z.string().optional(),
  message: z.string(),
  hint: z.string().optional(),
})

const sourceHealth = z.object({
  name: z.string(),
  kind: z.string(),
  status: z.enum(['opening', 'starting', 'ready', 'degraded', 'failed', 'stopped']),
  toolCount: z.number(),
  durationMs: z.number().optional(),
  protocol: z.string().optional(),
  server: z.string().optional(),
  reason: z.string().optional(),
  remedy: z.string().optional(),
})

function healthOf({ name, kind, status, toolCount, durationMs, protocol, serverInfo, error }: SourceState) {
  const server = serverInfo && `${serverInfo.name} ${serverInfo.version}`
  const { detail: reason, hint: remedy } = error ?? {}
  return { name, kind, status, toolCount, durationMs, protocol, server, reason, remedy }
}

export const list = defineCommand({
  name: 'list',
  description:
    'List the tools of the given sources, with their names, descriptions and where they come from.',
  input: z.object({
    sources: sourcesField,
    health: z.boolean().default(false).describe('How each source is, instead of the tools.'),
    snapshots: z
      .boolean()
      .default(false)
      .describe('The kept versions, of the sources with these names or of all, instead of the tools.'),
    query: z.string().default('').describe('Only tools that match these words, best match first.'),
    config: configField,
    database: databaseField,
  }),
  positionals: ['sources'],
  output: z.object({
    tools: z.array(listedTool),
    sources: z.array(sourceHealth).describe('How each source is.'),
    snapshots: z.array(snapshotShape).describe('With --snapshots: newest first, by source.'),
    problems: z.array(problem).describe('Entries that could not be read, and sources that gave no list.'),
  }),

  async run(input, context) {
    if (input.snapshots) {
      const snapshots = await keptSnapshots(input, context)
      return { output: { tools: [], sources: [], problems: [], snapshots } }
    }
    const prepared = await openCatalog(input, context)
    const { catalog } = prepared
    try {
      const index = catalog.tools.search()
      const { order } = index.search(input.query, { sources: [], filters: [] })
      const tools = order.flatMap(at => {
        const tool = index.tools[at]
        if (tool === undefined) return []
        const { ref, name, source, title, description, callable, outputSchema } = tool
        return {
          ref,
          name,
          source,
          title,
          description,
          callable,
          hasOutputSchema: outputSchema !== undefined,
        }
      })
      const failures = openFailures(prepared)
      const problems = [
        ...catalog.sources
          .list()
          .flatMap(source =>
            source.problems.map(({ name, message, hint }) => ({ source: source.name, name, message, hint })),
          ),
        ...failures.map(error => ({ source: '', message: error.message, hint: error.toShape().hint })),
      ]
      for (const error of failures) printError(error, context)
      return {
        output: {
          tools: input.health ? [] : tools,
          sources: catalog.sources.list().map(healthOf),
          problems,
          snapshots: [],
        },
        exitCode: failures.length > 0 ? exitCodes.unreachable : exitCodes.fine,
      }
    } finally {
      await catalog.close()
    }
  },

  print(output, context, input) {
    if (input.snapshots) return printSnapshots(output.snapshots, context)
    if (output.tools.length === 0)
      for (const { name, status, toolCount, durationMs, protocol, server, kind } of output.sources)
        context.write(
          `${[
            name,
            status,
            `${toolCount} tools`,
            `${durationMs ?? 0} ms`,
            server ?? kind,
            protocol && `MCP ${protocol}`,
          ]
            .filter(Boolean)
            .join(' · ')}\n`,
        )
    const width = Math.min(40, Math.max(0, ...output.tools.map(tool => tool.ref.length)))
    for (const tool of output.tools)
      context.write(
        `${tool.ref.padEnd(width)}  ${firstLine(tool.description ?? tool.title ?? '')}`
          .trimEnd()
          .concat('\n'),
      )
    for (const { source, name, message } of output.problems.filter(entry => entry.source !== ''))
      context.say(`${source}${name === undefined ? '' : ` · ${name}`}: ${message}`)
  },
})
