/** `toolscope help`: shows a tool's description and input, or Toolscope's own commands if no tool is named. */
import { z } from 'zod'
import { exitCodes } from '../../core/errors.ts'
import { helpDocument, helpList, toolHelp } from '../../core/prompt/help-formats.ts'
import type { ToolCommand } from '../../core/prompt/tool-commands.ts'
import {
  type Command,
  type CommandContext,
  defineCommand,
  fields,
  sourceExits,
  sourceFields,
} from './command.ts'
import { nameAsCalled, openForHelp, wordAndSources } from './help-target.ts'
import { openConfig } from './open-config.ts'
import { ownCommand, ownCommands } from './own-help.ts'

const output = z.union([
  z.object({
    description: z.string(),
    input_schema: z.unknown(),
    name: z.string().describe('The command name: unique in the catalog.'),
  }),
  z.object({ tools: z.array(z.object({ description: z.string(), name: z.string() })) }),
])

const input = z.object({
  tool: z
    .string()
    .optional()
    .describe('A tool by name, command or source/name; one of Toolscope’s commands; or a source.'),
  ...sourceFields,
  list: z.boolean().default(false).describe('Print one line per tool; all arguments are sources then.'),
  config: fields.config,
  trust: fields.trust,
})

interface OwnCommands {
  readonly names: readonly string[]
  /** The names of the commands that take `--json`: all that do not run until they are stopped. */
  readonly callableNames: readonly string[]
  readonly load: (names: readonly string[]) => Promise<readonly Command[]>
}

export function createHelpCommand({ names, callableNames, load }: OwnCommands): Command {
  return defineCommand({
    name: 'help',
    description: 'Show what a tool does and takes: its flags, or JSON; --list prints one line per tool.',
    input,
    positionals: ['tool', 'sources'],
    examples: [
      ['toolscope help call', 'one of these commands'],
      ['toolscope help read_file mcp.json', 'what a tool does and takes'],
    ],
    exitCodes: sourceExits,
    output,

    async run(given, context) {
      const { word, sources } = wordAndSources(given)
      const configured =
        sources.length > 0 || openConfig(given, { ...context, say: () => {} }).specs.length > 0
      if (word === undefined && !configured) return ownCommands(await load(names))
      const [command] = word === undefined || sources.length > 0 ? [] : await load([word])
      if (command !== undefined) {
        if (configured)
          context.say(`Toolscope’s own command. For a tool of that name: toolscope help ${word} SOURCE`)
        return ownCommand(command, callableNames.includes(command.name))
      }
      const opened = await openForHelp(word, { ...given, sources }, context, names)
      if (opened.entry !== undefined) {
        // Imported late, because it loads the generator of samples.
        const { toolUsage } = await import('./tool-usage.ts')
        const [callCommand] = await load(['call'])
        const [shown = opened.entry] = nameAsCalled([opened.entry], opened.entries)
        const usage = callCommand && toolUsage(shown, opened.argument, callCommand)
        const { command } = opened.entry
        if (command !== shown.command) usage?.push(`In a script its command is ${command}.`)
        const text = toolHelp(shown, usage)
        return { output: helpDocument(opened.entry), text }
      }
      if (word === undefined && sources.length === 0)
        context.say('The tools of toolscope.json. For Toolscope’s own commands: toolscope --help')
      return list(opened.entries, opened.incomplete, context)
    },
  })
}

function list(entries: readonly ToolCommand[], incomplete: boolean, context: CommandContext) {
  if (entries.length === 0 && !incomplete) context.say('There are no tools here.')
  const tools = entries.map(({ command, tool }) => ({ description: tool.description ?? '', name: command }))
  return {
    output: { tools },
    text: helpList(nameAsCalled(entries, entries)),
    exitCode: incomplete ? exitCodes.unreachable : exitCodes.fine,
  }
}
