/** Which tool a word means, and what to say when there is none. */
import { AppError } from '../errors.ts'
import { nearestOf } from '../text/nearest.ts'
import type { HelpEntry } from './command-name.ts'
import { plainLine } from './plain-text.ts'

const mostNear = 3
const longestWord = 200

/**
 * The tools a word names: by reference, else by command, else by the source's own name. One, none, or several of a
 * name that two sources use.
 */
export function findTools(entries: readonly HelpEntry[], word: string): HelpEntry[] {
  const byRef = entries.filter(({ tool }) => tool.ref === word)
  if (byRef.length > 0) return byRef
  const byCommand = entries.filter(({ command }) => command === word)
  return byCommand.length > 0 ? byCommand : entries.filter(({ tool }) => tool.name === word)
}

/**
 * What `help` says of a word that names no tool: the seed system's message, and the commands spelt almost so.
 *
 * @param otherwise the hint where none is spelt so; how to get the list unless given
 */
export function unknownTool(word: string, commands: readonly string[], otherwise?: string): AppError {
  const near = nearestOf(word, commands, mostNear)
  const hint = near.length > 0 ? `Did you mean ${listed(near)}?` : otherwise
  return new AppError(
    'unknown-tool',
    plainLine(word).slice(0, longestWord),
    hint === undefined ? {} : { hint },
  )
}

/** `a, b or c` */
function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}
