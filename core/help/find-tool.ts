/** Which tool a word means, and what to say when there is none. */
import { nearestOf } from '../nearest.ts'
import type { CommandNames, HelpEntry } from './command-name.ts'
import { plainLine } from './plain-text.ts'

const mostNear = 3
const longestWord = 200

/**
 * The tools a word names: by reference, else by command, else by the source's own name. One, none, or several of a
 * name that two sources use.
 */
export function findTools(names: CommandNames, word: string): HelpEntry[] {
  const { entries } = names
  const byRef = entries.filter(({ tool }) => tool.ref === word)
  if (byRef.length > 0) return byRef
  const byCommand = entries.filter(({ command }) => command === word)
  return byCommand.length > 0 ? byCommand : entries.filter(({ tool }) => tool.name === word)
}

export interface UnknownTool {
  /** `help: unknown tool: nope` */
  readonly message: string
  /** Commands spelt almost so, the closest first, at most three. */
  readonly nearest: readonly string[]
}

/** What `help` says of a word that names no tool. */
export function unknownTool(names: CommandNames, word: string): UnknownTool {
  const plain = plainLine(word).slice(0, longestWord)
  const commands = names.entries.map(({ command }) => command)
  return { message: `help: unknown tool: ${plain}`, nearest: nearestOf(word, commands, mostNear) }
}
