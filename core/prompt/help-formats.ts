/** The texts of `help`, as ScriptedTool prints them: the list, one tool with its usage, and one tool as JSON. */

import { withSortedKeys } from '../json/sort-keys.ts'
import { plainJson, wholeText } from '../text/plain-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import type { ToolCommand } from './tool-commands.ts'
import { usageLine } from './usage-line.ts'

/** Columns of the name. */
const minNameWidth = 20

/**
 * `get_user             Fetch user by ID` and a line break: the name padded to 20 columns, a space, the description, of
 * however many lines.
 */
export function listLine({ command, tool }: ToolCommand): string {
  return `${command.padEnd(minNameWidth)} ${wholeText(tool.description ?? '')}\n`
}

/** Tool by tool, in the order given; empty text without tools. */
export function helpList(entries: readonly ToolCommand[]): string {
  return entries.map(listLine).join('')
}

/**
 * `help <tool> --json`, which scripts read with `jq '.input_schema.properties.role.enum'`. Keys in alphabetical order, in
 * the source's own schema too.
 */
export interface HelpDocument {
  readonly description: string
  readonly input_schema: JsonSchema
  readonly name: string
}

export function helpDocument({ command, tool }: ToolCommand): HelpDocument {
  return {
    description: tool.description ?? '',
    input_schema: withSortedKeys(tool.inputSchema),
    name: command,
  }
}

/** Two spaces a level and a line break at the end; safe to print, whatever the source wrote. */
export function helpJson(entry: ToolCommand): string {
  return `${plainJson(helpDocument(entry))}\n`
}

/**
 * `help <tool>`, and `<tool> --help` in a script: `get_user - Fetch user by ID`, then the usage line where the input has
 * fields. Ends with a line break.
 */
export function toolHelp({ command, tool }: ToolCommand): string {
  const head = `${command} - ${wholeText(tool.description ?? '')}`
  const usage = usageLine(command, tool.inputSchema)
  return usage === null ? `${head}\n` : `${head}\n${usage}\n`
}
