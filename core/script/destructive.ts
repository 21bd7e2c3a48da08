/** Which tools that ask before they are called a script may reach. */
import { confirmReason } from '../call/confirm-reason.ts'
import type { ToolCommand } from '../help/tool-commands.ts'
import type { Tool } from '../tool/tool.ts'

/**
 * The tools that ask first and whose command stands in the script as a word, wherever: rather one too many. A name that
 * is put together while the script runs is not found: such a call is refused (see `refusalOf`).
 */
export function destructiveIn(script: string, entries: readonly ToolCommand[]): ToolCommand[] {
  const words = scriptWords(script)
  return entries.filter(({ command, tool }) => words.has(command) && confirmReason(tool) !== undefined)
}

/** Every word of a script that could be a command. */
export function scriptWords(script: string): ReadonlySet<string> {
  return new Set(Array.from(script.matchAll(/[\w-]+/g), ([word]) => word))
}

/** Why a tool must not be called in a run whose user confirmed `confirmed` (refs); null where it may. */
export function refusalOf(tool: Tool, confirmed: ReadonlySet<string> | 'all'): string | null {
  if (confirmed === 'all' || confirmed.has(tool.ref) || confirmReason(tool) === undefined) return null
  return 'not called: it asks before it is called, and nobody confirmed it for this script'
}
