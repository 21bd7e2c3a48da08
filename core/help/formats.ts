/** The texts of `help`: the list, one tool with its usage, and one tool as JSON. */

import { oneLine, plainJson, plainText } from '../text/plain-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import type { ToolCommand } from './tool-commands.ts'
import { usageLine } from './usage-line.ts'

/** Columns of the name. */
const minNameWidth = 20

/**
 * `get_user             Fetch user by ID` and a line break: the name padded to 20 columns, a space, the description's
 * first line.
 */
export function listLine({ command, tool }: ToolCommand): string {
  return `${command.padEnd(minNameWidth)} ${oneLine(tool.description ?? '')}\n`
}

/** One line a tool, in the order given; empty text without tools. */
export function helpList(entries: readonly ToolCommand[]): string {
  return entries.map(listLine).join('')
}

/**
 * `help <tool> --json`, which scripts read with `jq '.input_schema.properties.role.enum'`. Keys in alphabetical order; the
 * schema is the source's own, unchanged.
 */
export interface HelpDocument {
  readonly description: string
  readonly input_schema: JsonSchema
  readonly name: string
}

export function helpDocument({ command, tool }: ToolCommand): HelpDocument {
  return { description: tool.description ?? '', input_schema: tool.inputSchema, name: command }
}

/** Two spaces a level and a line break at the end; safe to print, whatever the source wrote. */
export function helpJson(entry: ToolCommand): string {
  return `${plainJson(helpDocument(entry))}\n`
}

/**
 * `help <tool>`, and `<tool> --help` in a script: `get_user - Fetch user by ID`, then the usage line where the input has
 * fields. The description stands in full. Ends with a line break.
 */
export function toolHelp({ command, tool }: ToolCommand): string {
  const description = plainText(tool.description ?? '').trim()
  const head = description === '' ? command : `${command} - ${description}`
  const usage = usageLine(command, tool.inputSchema)
  return usage === null ? `${head}\n` : `${head}\n${usage}\n`
}
