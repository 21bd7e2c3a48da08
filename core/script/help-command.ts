/** Runs `help` and `discover` as commands of a script, with the seed system's output. */

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
import type { ToolCommand, ToolCommands } from '../prompt/tool-commands.ts'
import { plainJson } from '../text/plain-text.ts'
import type { CommandAnswer } from './protocol.ts'

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
