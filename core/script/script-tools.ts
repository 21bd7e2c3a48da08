/** The world of a script: which commands there are and how a tool is really called. */

import { nameToolCommands, type ToolCommand, type ToolCommands } from '../prompt/tool-commands.ts'
import { confirmReason } from '../tool/confirm-reason.ts'
import type { CallEvent, Validation } from '../tool/invocation.ts'
import type { Tool } from '../tool/tool.ts'
import { helpCommand } from './help-command.ts'
import type { CommandAnswer } from './protocol.ts'

/** A call under way. */
export interface StartedCall {
  /** The last one is a result or a failure. */
  readonly events: AsyncIterable<CallEvent>
  /** Ends the call at once; its events then end soon, by themselves or by rejecting. */
  cancel(): void
}

export interface ScriptHost {
  /** The tools' commands, without `help` and `discover`. */
  readonly commands: readonly string[]
  /** The tool behind a command. Rejects when it has gone. */
  tool(command: string): Promise<Tool>
  /** `help` and `discover`. */
  help(name: string, words: readonly string[]): Promise<CommandAnswer>
  validate(tool: Tool, inputText: string): Promise<Validation>
  /** The one way a tool is called. */
  call(tool: Tool, inputText: string): StartedCall
  /** Why this tool must not be called now, in words; null where it may. */
  refuses(tool: Tool): string | null
}

/** The tools of a catalog that a script can call, under their commands. */
export function scriptToolCommands(tools: readonly Tool[]): ToolCommands {
  return nameToolCommands(tools.filter(tool => tool.callable))
}

/** The part of a world that follows from the tools alone. */
export function hostOf(names: ToolCommands): Pick<ScriptHost, 'commands' | 'tool' | 'help'> {
  return {
    commands: names.entries.map(entry => entry.command),
    async tool(command) {
      const tool = names.toolOf(command)
      if (tool === undefined) throw new Error('this tool no longer exists')
      return tool
    },
    help: async (name, words) => helpCommand(names, name, words),
  }
}

/**
 * The tools that ask first and whose command stands in the script as a word, wherever: rather one too many. A name that
 * is put together while the script runs is not found: such a call is refused (see `refusalOf`).
 */
export function findDestructive(script: string, entries: readonly ToolCommand[]): ToolCommand[] {
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
  return 'not called: it needs a confirmation, and this script has none'
}
