/** The texts of `help`, as ScriptedTool prints them: the list, one tool with its usage, and one tool as JSON. */

import { withSortedKeys } from '../json/equality.ts'
import { plainJson, wholeText } from '../text/plain-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import type { ToolCommand } from './tool-commands.ts'
import { usageLine } from './usage-line.ts'

/** Columns of the name. */
const minNameWidth = 20

/**
 * Returns `get_user             Fetch user by ID` and a line break: the name padded to 20 columns, a space and the
 * description, which may have several lines.
 */
export function listLine({ command, tool }: ToolCommand): string {
  return `${command.padEnd(minNameWidth)} ${wholeText(tool.description ?? '')}\n`
}

/** Returns the lines of all tools in the given order; an empty text without tools. */
export function helpList(entries: readonly ToolCommand[]): string {
  return entries.map(listLine).join('')
}

/**
 * `help <tool> --json`, which scripts read with `jq '.input_schema.properties.role.enum'`. Keys are in alphabetical
 * order, even in the source's own schema.
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

/**
 * Returns JSON with two spaces for each level and a line break at the end; safe to print, whatever the source contains.
 */
export function helpJson(entry: ToolCommand): string {
  return `${plainJson(helpDocument(entry))}\n`
}

/**
 * Returns the text of `help <tool>`, and of `<tool> --help` in a script: `get_user - Fetch user by ID`, then how it is
 * used: without `usage`, the usage line of a script if the input has fields. Ends with a line break.
 */
export function toolHelp(
  { command, tool }: ToolCommand,
  usage: readonly string[] = [usageLine(command, tool.inputSchema)].filter(line => line !== null),
): string {
  return [`${command} - ${wholeText(tool.description ?? '')}`, ...usage].map(line => `${line}\n`).join('')
}
