/** The environment of a script: its commands, and how a tool is really called. */

import {
  categoryText,
  countCategories,
  type DiscoverQuery,
  describeFoundTool,
  discover,
  findTools,
  statedCategory,
  unknownTool,
} from '../prompt/discover.ts'
import { helpJson, helpList, toolHelp } from '../prompt/help-formats.ts'
import type { KnownName } from '../prompt/legal-names.ts'
import { nameToolCommands, type ToolCommand, type ToolCommands } from '../prompt/tool-commands.ts'
import { plainJson } from '../text/plain-text.ts'
import { confirmReason } from '../tool/confirm-reason.ts'
import type { CallEvent, Validation } from '../tool/invocation.ts'
import type { Tool } from '../tool/tool.ts'
import type { CommandAnswer } from './protocol.ts'

interface StartedCall {
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
  help(name: string, words: readonly string[]): Promise<CommandAnswer>
  validate(tool: Tool, inputText: string): Promise<Validation>
  /** Calls a tool; scripts have no other way. */
  call(tool: Tool, inputText: string): StartedCall
  /** Returns why this tool must not be called now; null if it may be called. */
  refuses(tool: Tool): string | null
}

export const goneTool = 'this tool no longer exists'

/**
 * Returns the callable tools of a catalog with their commands.
 *
 * @param known see `SourceNames`
 */
export function scriptToolCommands(tools: readonly Tool[], known?: readonly KnownName[]): ToolCommands {
  return nameToolCommands(
    tools.filter(tool => tool.callable),
    known,
  )
}

/** Returns the part of a host that depends only on the tools. */
export function createToolHost(names: ToolCommands): Pick<ScriptHost, 'commands' | 'tool' | 'help'> {
  return {
    commands: names.entries.map(entry => entry.command),
    async tool(command) {
      const tool = names.toolOf(command)
      if (tool === undefined) throw new Error(goneTool)
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

const discoverUsage =
  'usage: discover --categories | --category <name> | --tag <tag> | --search <keyword> [--json]'
const helpUsage = 'usage: help [--list] [<tool>] [--json]'

/** Runs `help …` or `discover …`. Never throws. */
export function runHelpCommand(names: ToolCommands, name: string, words: readonly string[]): CommandAnswer {
  return name === 'discover' ? runDiscover(names.entries, words) : runHelp(names, words)
}

function runHelp(names: ToolCommands, words: readonly string[]): CommandAnswer {
  const word = words.find(each => !each.startsWith('--'))
  const asJson = words.includes('--json')
  if (word === undefined) {
    const listed = words.every(each => each === '--list')
    return listed ? fine(helpList(names.entries)) : failed(helpUsage)
  }
  const [entry] = findTools(names.entries, word)
  if (entry !== undefined) return fine(asJson ? helpJson(entry) : toolHelp(entry))
  return failed(unknownTool(word, []).message)
}

function runDiscover(entries: readonly ToolCommand[], words: readonly string[]): CommandAnswer {
  if (words.length === 0) return failed(discoverUsage)
  const asJson = words.includes('--json')
  if (words.includes('--categories')) {
    const sources = new Set(entries.map(({ tool }) => tool.source))
    // A single source as a category does not divide the tools.
    const all = countCategories(entries).filter(({ category }) => sources.size > 1 || !sources.has(category))
    return fine(asJson ? `${plainJson(all)}\n` : categoryText(all))
  }
  const wanted = parseDiscoverQuery(words)
  const found = wanted === undefined ? entries : discover(entries, wanted)
  return fine(asJson ? `${plainJson(found.map(foundTool))}\n` : helpList(found))
}

/** Returns a tool as the seed system lists it: a category and tags only if there are any. */
function foundTool(entry: ToolCommand) {
  const { description, name, tags } = describeFoundTool(entry)
  const category = statedCategory(entry.tool)
  return {
    ...(category === undefined ? {} : { category }),
    description,
    name,
    ...(tags.length === 0 ? {} : { tags }),
  }
}

function parseDiscoverQuery(words: readonly string[]): DiscoverQuery | undefined {
  for (const by of ['category', 'tag', 'search'] as const) {
    const at = words.findIndex(word => word === `--${by}` || word.startsWith(`--${by}=`))
    const text = words[at]
    if (text === undefined) continue
    const equals = text.indexOf('=')
    return { by, word: equals < 0 ? (words[at + 1] ?? '') : text.slice(equals + 1) }
  }
  return undefined
}

const fine = (stdout: string): CommandAnswer => ({ stdout, stderr: '', exitCode: 0 })
const failed = (message: string): CommandAnswer => ({ stdout: '', stderr: message, exitCode: 1 })
