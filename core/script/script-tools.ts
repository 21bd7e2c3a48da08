/** The environment of a script: its commands, and how a tool is really called. */

import { nameToolCommands, type ToolCommand, type ToolCommands } from '../prompt/tool-commands.ts'
import { confirmReason } from '../tool/confirm-reason.ts'
import type { CallEvent, Validation } from '../tool/invocation.ts'
import type { Tool } from '../tool/tool.ts'
import { runHelpCommand } from './help-command.ts'
import type { CommandAnswer } from './protocol.ts'

/** A call in progress. */
export interface StartedCall {
  /** The last event is a result or a failure. */
  readonly events: AsyncIterable<CallEvent>
  /** Ends the call immediately; its events then end soon, or reject. */
  cancel(): void
}

export interface ScriptHost {
  /** The tools' commands, without `help` and `discover`. */
  readonly commands: readonly string[]
  /** Returns the tool of a command. Rejects if the tool was removed. */
  tool(command: string): Promise<Tool>
  /** Answers `help` and `discover`. */
  help(name: string, words: readonly string[]): Promise<CommandAnswer>
  validate(tool: Tool, inputText: string): Promise<Validation>
  /** Calls a tool; scripts have no other way. */
  call(tool: Tool, inputText: string): StartedCall
  /** Returns why this tool must not be called now; null if it may be called. */
  refuses(tool: Tool): string | null
}

/** Returns the callable tools of a catalog with their commands. */
export function scriptToolCommands(tools: readonly Tool[]): ToolCommands {
  return nameToolCommands(tools.filter(tool => tool.callable))
}

/** Returns the part of a host that depends only on the tools. */
export function createToolHost(names: ToolCommands): Pick<ScriptHost, 'commands' | 'tool' | 'help'> {
  return {
    commands: names.entries.map(entry => entry.command),
    async tool(command) {
      const tool = names.toolOf(command)
      if (tool === undefined) throw new Error('this tool no longer exists')
      return tool
    },
    help: async (name, words) => runHelpCommand(names, name, words),
  }
}

/**
 * Returns the tools that require confirmation and whose command is a word anywhere in the script: rather one too many.
 * A name that the script builds at run time is not found: such a call is refused (see `describeConfirmRefusal`).
 */
export function findDestructive(script: string, entries: readonly ToolCommand[]): ToolCommand[] {
  const words = scriptWords(script)
  return entries.filter(({ command, tool }) => words.has(command) && confirmReason(tool) !== undefined)
}

/** Returns every word of a script that could be a command. */
export function scriptWords(script: string): ReadonlySet<string> {
  return new Set(Array.from(script.matchAll(/[\w-]+/g), ([word]) => word))
}

/** Returns why a tool must not be called if the user confirmed only `confirmed` (refs); null if it may be called. */
export function describeConfirmRefusal(tool: Tool, confirmed: ReadonlySet<string> | 'all'): string | null {
  if (confirmed === 'all' || confirmed.has(tool.ref) || confirmReason(tool) === undefined) return null
  return 'not called: it needs a confirmation, and this script has none'
}
