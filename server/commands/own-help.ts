/** Describes Toolscope's own commands: for `help`, and as the manifest that `--llms` prints. */
import { Command as Program } from 'commander'
import { z } from 'zod'
import type { HelpDocument } from '../../core/prompt/help-formats.ts'
import type { Command, CommandResult } from './command.ts'
import { formatHelpNotes, toProgram } from './command-flags.ts'

const nameWidth = 20

const more = `
toolscope help <command>            the options of one of these
toolscope help <source>             the tools of a source, one a line
toolscope help <tool> <source>      one tool: what it does and its flags; --json for its schema
`

/** Returns every command with its description, and how to get more help. */
export function ownCommands(
  commands: readonly Command[],
): CommandResult<{ tools: { description: string; name: string }[] }> {
  const tools = commands.map(({ name, description }) => ({ description, name }))
  const lines = tools.map(({ name, description }) => `${name.padEnd(nameWidth)} ${description}\n`)
  return { output: { tools }, text: `${lines.join('')}${more}` }
}

/** Returns one command with its options, as `--help` prints it; as JSON in the shape of any tool. */
export function ownCommand(command: Command, takesJson: boolean): CommandResult<HelpDocument> {
  const parent = new Program('toolscope')
  const program = toProgram(command, async () => {}, takesJson)
  parent.addCommand(program)
  const { name, description, input } = command
  return {
    output: { description, input_schema: z.toJSONSchema(input) as HelpDocument['input_schema'], name },
    text: `${program.helpInformation()}${formatHelpNotes(command)}`,
  }
}

/** The reserved first entry, which documents how the other entries are called. */
const documentation = {
  name: 'help',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: { type: 'object', properties: {} },
  description:
    "Documentation tool, not callable. Call a tool as `toolscope <name> --json '<input as JSON>'`; the answer is one JSON document on stdout. Exit codes: 0 fine, 2 usage, 3 a source cannot be reached, 4 the tool failed or its output is invalid, 5 a breaking change.",
}

/** Returns the text that `--llms` prints: indented by two spaces, with a newline at the end. */
export function formatManifest(commands: readonly Command[]): string {
  const tools = commands.map(({ name, input, output, description }) => ({
    name,
    inputSchema: z.toJSONSchema(input),
    // MCP clients require the type, even if every alternative of a union has it.
    outputSchema: { type: 'object', ...z.toJSONSchema(output) },
    description,
  }))
  return `${JSON.stringify({ tools: [documentation, ...tools] }, null, 2)}\n`
}
