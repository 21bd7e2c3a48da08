/** `help --list`: one line a tool. */
import type { HelpEntry } from './command-name.ts'
import { oneLine } from './plain-text.ts'

/** Columns that the name fills at least. */
const nameWidth = 20

/** `get_user             Fetch user by ID` and a line break: the name padded to 20 columns, a space, the description's first line. */
export function listLine({ command, tool }: HelpEntry): string {
  return `${command.padEnd(nameWidth)} ${oneLine(tool.description ?? '')}\n`
}

/** One line a tool, in the order given; empty text without tools. */
export function helpList(entries: readonly HelpEntry[]): string {
  return entries.map(listLine).join('')
}
