/** `help` and `discover` as commands of a script, in the seed system's shapes. */

import {
  categoryText,
  countCategories,
  type DiscoverQuery,
  describeFoundTool,
  discover,
  findTools,
  unknownTool,
} from '../help/discover.ts'
import { helpJson, helpList, toolHelp } from '../help/formats.ts'
import type { ToolCommand, ToolCommands } from '../help/tool-commands.ts'
import { plainJson } from '../text/plain-text.ts'
import type { CommandAnswer } from './protocol.ts'

const discoverUsage =
  'usage: discover --categories | --category <name> | --tag <tag> | --search <word> [--json]'
const helpUsage = 'usage: help [--list] [<tool>] [--json]'

/** Runs `help …` or `discover …`. Never throws. */
export function helpCommand(names: ToolCommands, name: string, words: readonly string[]): CommandAnswer {
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
  const commands = names.entries.map(({ command }) => command)
  const { detail, hint } = unknownTool(word, commands, '').toShape()
  return failed(`help: unknown tool: ${detail}${hint === '' ? '' : `\n${hint}`}`)
}

function runDiscover(entries: readonly ToolCommand[], words: readonly string[]): CommandAnswer {
  const asJson = words.includes('--json')
  if (words.includes('--categories')) {
    const all = countCategories(entries)
    return fine(asJson ? `${plainJson(all)}\n` : categoryText(all))
  }
  const wanted = wantedOf(words)
  if (wanted === undefined) return failed(discoverUsage)
  const found = discover(entries, wanted)
  return fine(asJson ? `${plainJson(found.map(describeFoundTool))}\n` : helpList(found))
}

function wantedOf(words: readonly string[]): DiscoverQuery | undefined {
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
const failed = (message: string): CommandAnswer => ({ stdout: '', stderr: `${message}\n`, exitCode: 1 })
