/** `toolscope list`: lists the tools of the sources. */

import { z } from 'zod'
import { type SourceState, sourceStatus } from '../../core/api/sources.ts'
import { summarizeFirstLine } from '../../core/catalog/rows.ts'
import { visibleName } from '../../core/text/plain-text.ts'
import { counted } from '../../core/text/wording.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { findSnapshot, lazySnapshots } from '../versions/lazy-snapshots.ts'
import {
  type CommandContext,
  configurationFields,
  defineCommand,
  sourceExits,
  sourceFields,
} from './command.ts'
import { chooseExitCode, type Prepared, reportFailures, sourceNames, withCatalog } from './open-catalog.ts'
import { snapshotShape, toSnapshotOutput } from './snapshot.ts'
import { writeLine } from './terminal.ts'

const listedTool = z.object({
  ref: z.string(),
  name: z.string(),
  source: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  callable: z.boolean(),
  hasOutputSchema: z.boolean(),
  inputSchema: z.unknown().describe('The JSON Schema of its input, as the source gives it.'),
  outputSchema: z.unknown().optional(),
  annotations: z.unknown().optional().describe('The hints of the source: readOnlyHint, destructiveHint …'),
})

const listedEntry = listedTool.pick({ ref: true, name: true, source: true, title: true, description: true })
const listedResource = listedEntry.extend({ uri: z.string(), mimeType: z.string().optional() })
const listedSkill = listedEntry.extend({
  uri: z.string(),
  files: z.unknown().describe('Its files with size in bytes and SHA-256 digest, or "dynamic".'),
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
  status: sourceStatus,
  toolCount: z.number(),
  durationMs: z.number().optional(),
  protocol: z.string().optional(),
  server: z.string().optional(),
  reason: z.string().optional(),
  remedy: z.string().optional(),
})

function describeHealth({
  name,
  kind,
  status,
  toolCount,
  durationMs,
  protocol,
  serverInfo,
  error,
}: SourceState) {
  const server = serverInfo && `${serverInfo.name} ${serverInfo.version}`
  const { detail: reason, hint: remedy } = error ?? {}
  return { name, kind, status, toolCount, durationMs, protocol, server, reason, remedy }
}

/** If a source takes longer, the tools of the others are printed before it answers. */
const patienceMs = 2_000

export const listCommand = defineCommand({
  name: 'list',
  description:
    'List the tools of the given sources, with their names, descriptions and where they come from; --json adds their schemas.',
  input: z.object({
    ...sourceFields,
    health: z.boolean().default(false).describe('List the status of each source instead of the tools.'),
    snapshots: z
      .boolean()
      .default(false)
      .describe('List the saved versions of these sources, or of all, instead of the tools.'),
    surface: z
      .boolean()
      .default(false)
      .describe('Also list prompts, resources, resource templates and skills; --json always has them.'),
    query: z
      .string()
      .default('')
      .describe(
        'Only tools, prompts and resources that match this text, best match first: words of a name or of what it does.',
      ),
    ...configurationFields,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope list "npx -y @modelcontextprotocol/server-everything"', 'the tools of an MCP server'],
    [
      'toolscope list mcp.json --query "read file" --json',
      'the best matches of the servers of a file, as JSON',
    ],
  ],
  exitCodes: sourceExits,
  output: z.object({
    tools: z.array(listedTool),
    prompts: z.array(listedEntry),
    resources: z.array(listedResource),
    resourceTemplates: z.array(listedResource).describe('Their "uri" is an RFC 6570 template.'),
    skills: z.array(listedSkill).describe('Their "uri" is that of their SKILL.md.'),
    sources: z.array(sourceHealth).describe('How each source is.'),
    snapshots: z.array(snapshotShape).describe('With --snapshots: newest first, by source.'),
    problems: z.array(problem).describe('Entries that could not be read, and sources that gave no list.'),
  }),

  async run(input, context) {
    if (input.snapshots) {
      const snapshots = await listStoredSnapshots(input, context)
      return { output: { ...nothing, sources: [], problems: [], snapshots } }
    }
    const printed = new Set<string>()
    let timer: NodeJS.Timeout | undefined
    const showReady = ({ catalog }: Prepared) => {
      const isNew = ({ name, status }: SourceState) => status === 'ready' && !printed.has(name)
      for (const { name } of catalog.sources.list().filter(isNew)) {
        printTools(catalog.tools.ofSource(name), context)
        printed.add(name)
      }
    }
    const isPlain = !context.json && !input.health && !input.surface && input.query === ''
    const startShowing = (prepared: Prepared) => {
      if (isPlain) timer = setInterval(() => showReady(prepared), patienceMs)
    }
    const listAll = async (prepared: Prepared) => {
      clearInterval(timer)
      const { catalog } = prepared
      const sources = catalog.sources.list()
      const index = catalog.tools.browse()
      const { order, complete } = index.search(input.query, { sources: [], filters: [] })
      if (complete === 0 && order.length > 0) context.say('No tool has all these words. The best matches:')
      const listed = listEntries(order.flatMap(at => index.tools[at] ?? []))
      const failures = reportFailures(prepared, context)
      const problems = [
        ...sources.flatMap(source =>
          source.problems.map(({ name, message, hint }) => ({ source: source.name, name, message, hint })),
        ),
        ...failures.map(error => ({ source: '', message: error.message, hint: error.toShape().hint })),
      ]
      const output = {
        ...(input.health ? nothing : listed),
        sources: sources.map(describeHealth),
        problems,
        snapshots: [],
      }
      const exitCode = chooseExitCode(failures)
      if (printed.size === 0) return { output, exitCode }
      const rest = listed.tools.filter(tool => !printed.has(tool.source))
      printTools(rest, context)
      printProblems(problems, context)
      return { output, text: '', exitCode }
    }
    return withCatalog(input, context, listAll, startShowing).finally(() => clearInterval(timer))
  },
  print(output, context, input) {
    if (input.snapshots) return printSnapshots(output.snapshots, context)
    if (output.tools.length === 0)
      for (const { name, status, toolCount, durationMs, protocol, server, kind } of output.sources)
        writeFacts(context, [
          name,
          status,
          `${toolCount} tools`,
          `${durationMs ?? 0} ms`,
          server ?? kind,
          protocol && `MCP ${protocol}`,
        ])
    printTools(output.tools, context)
    if (input.surface)
      printTools(
        [...output.prompts, ...output.resources, ...output.resourceTemplates, ...output.skills],
        context,
      )
    printProblems(output.problems, context)
  },
})

const nothing = { tools: [], prompts: [], resources: [], resourceTemplates: [], skills: [] }

/** Returns all entries in the shapes of the output. */
function listEntries(entries: readonly Tool[]) {
  const pickTexts = ({ ref, name, source, title, description }: Tool) => ({
    ref,
    name,
    source,
    title,
    description,
  })
  const ofKind = (kind: Tool['kind']) => entries.filter(entry => entry.kind === kind)
  const resource = (entry: Tool) => {
    const { uri = '', mimeType } = entry
    return { ...pickTexts(entry), uri, mimeType }
  }
  return {
    tools: ofKind(undefined).map(tool => {
      const { callable, inputSchema, outputSchema, annotations } = tool
      const hasOutputSchema = outputSchema !== undefined
      return { ...pickTexts(tool), callable, hasOutputSchema, inputSchema, outputSchema, annotations }
    }),
    prompts: ofKind('prompt').map(pickTexts),
    resources: ofKind('resource').map(resource),
    resourceTemplates: ofKind('template').map(resource),
    skills: ofKind('skill').map(entry => ({
      ...pickTexts(entry),
      uri: entry.uri ?? '',
      files: entry.skill?.files,
    })),
  }
}

function printProblems(problems: readonly z.infer<typeof problem>[], context: CommandContext): void {
  for (const { source, name, message } of problems.filter(entry => entry.source !== ''))
    context.say(`${source}${name === undefined ? '' : ` · ${name}`}: ${message}`)
}

function printTools(
  tools: readonly Pick<z.infer<typeof listedTool>, 'ref' | 'title' | 'description'>[],
  context: CommandContext,
): void {
  const width = Math.min(40, Math.max(0, ...tools.map(tool => visibleName(tool.ref).length)))
  for (const { ref, description, title } of tools)
    writeLine(
      context,
      `${visibleName(ref).padEnd(width)}  ${summarizeFirstLine(description ?? title ?? '')}`.trimEnd(),
    )
}

type ListedSnapshot = z.infer<typeof snapshotShape>

/**
 * Returns the versions of the sources with these names, or of all. Throws `snapshot-not-found` if a named source has
 * none.
 */
async function listStoredSnapshots(
  input: {
    readonly sources: readonly (string | readonly string[])[]
    readonly database?: string | undefined
  },
  context: CommandContext,
): Promise<ListedSnapshot[]> {
  const { known, close } = lazySnapshots(input.database, context)
  try {
    const names = sourceNames(input.sources)
    const all: ListedSnapshot[] = []
    for (const source of names.length > 0 ? names : await known.store.sources()) {
      const list = await known.store.list(source)
      if (list.length === 0) await findSnapshot(known.store, { source, selector: { kind: 'latest' } })
      all.push(...list.map(toSnapshotOutput))
    }
    return all
  } finally {
    await close()
  }
}

function printSnapshots(snapshots: readonly ListedSnapshot[], context: CommandContext): void {
  if (snapshots.length === 0) context.say('No version is kept yet; toolscope snapshot keeps one.')
  for (const { reference, time, toolCount, cause, version, git, labels } of snapshots)
    writeFacts(context, [
      reference,
      `${time.slice(0, 19)}Z`,
      counted(toolCount, 'tool'),
      cause,
      version && `version ${version}`,
      git && `git ${git.slice(0, 8)}${git.endsWith('+') ? '+' : ''}`,
      ...labels.map(label => `[${label}]`),
    ])
}

function writeFacts(context: CommandContext, facts: readonly (string | undefined)[]): void {
  writeLine(context, facts.filter(Boolean).join(' · '))
}
