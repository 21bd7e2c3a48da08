/** The world of a script: which commands there are and how a tool is really called. */

import type { CallEvent, Validation } from '../call/invocation.ts'
import { nameToolCommands, type ToolCommands } from '../help/tool-commands.ts'
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

export interface ScriptWorld {
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
export function scriptCommands(tools: readonly Tool[]): ToolCommands {
  return nameToolCommands(tools.filter(tool => tool.callable))
}

/** The part of a world that follows from the tools alone. */
export function worldOf(names: ToolCommands): Pick<ScriptWorld, 'commands' | 'tool' | 'help'> {
  return {
    commands: names.entries.map(entry => entry.command),
    async tool(command) {
      const tool = names.toolOf(command)
      if (tool === undefined) throw new Error('there is no such tool any more')
      return tool
    },
    help: async (name, words) => helpCommand(names, name, words),
  }
}
