/** `help <tool>` (and `<tool> --help` in a script). */
import type { HelpEntry } from './command-name.ts'
import { plainText } from './plain-text.ts'
import { usageLine } from './usage-line.ts'

/**
 * `get_user - Fetch user by ID`, then the usage line where the input has fields. The description stands in full.
 * Ends with a line break.
 */
export function toolHelp({ command, tool }: HelpEntry): string {
  const description = plainText(tool.description ?? '').trim()
  const head = description === '' ? command : `${command} - ${description}`
  const usage = usageLine(command, tool.inputSchema)
  return usage === null ? `${head}\n` : `${head}\n${usage}\n`
}
