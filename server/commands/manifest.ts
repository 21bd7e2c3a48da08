/** `toolscope --llms`: our own commands as a manifest of the shape that we read from others. */
import { z } from 'zod'
import type { Command } from './command.ts'

/** The reserved first entry, which tells a reader how the others are called. */
const help = {
  name: 'help',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: { type: 'object', properties: {} },
  description:
    "Documentation tool, not callable. Call a tool as `toolscope <name> --json '<input as JSON>'`; the answer is one JSON document on stdout. Exit codes: 0 fine, 2 usage, 3 a source cannot be reached, 4 the tool failed or its output is invalid, 5 a breaking change.",
}

/** The text that `--llms` prints: two spaces of indentation and a newline at the end. */
export function manifestText(commands: readonly Command[]): string {
  const tools = commands.map(({ name, input, output, description }) => ({
    name,
    inputSchema: z.toJSONSchema(input),
    outputSchema: z.toJSONSchema(output),
    description,
  }))
  return `${JSON.stringify({ tools: [help, ...tools] }, null, 2)}\n`
}
