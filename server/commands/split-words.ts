/**
 * Splits a command line before its options are parsed: Toolscope's own words, the words of the program after `--`, and
 * the flags of the tool that `call` calls.
 */
import { isMember, isNumberWord } from '../../core/script/flag-types.ts'
import type { Command } from './command.ts'
import { optionArities } from './command-flags.ts'

export interface SplitWords {
  /** Words for Toolscope's own parser; `--json` has its value after `=`, empty if it has none. */
  readonly own: readonly string[]
  /** The words after `--`: arguments of the program before it. */
  readonly rest: readonly string[]
  /** The flags of the tool, as typed. */
  readonly tool: readonly string[]
}

/** The text begins as JSON does, or names a file or stdin: `{…}`, `[…]`, `"…"`, a number, `@file`, `-`. */
const jsonStart = /^(?:[{["@]|-?\d+(?:\.\d+)?$|-$)/

/**
 * Rules: an option that Toolscope has is Toolscope's, wherever it is typed. After the name of the tool, any other `--flag`
 * is the tool's, and the word after it is its value unless it begins with `--` or is one of Toolscope's short options;
 * `--no-flag` takes no word; `a=1 b=2` and `1 2` are one value. After a second `--`, every word is the tool's. `--json` takes the next word only if it looks
 * like JSON.
 *
 * @param command the named command; undefined if the first word is not the name of a command that returns an answer
 */
export function splitWords(argv: readonly string[], command: Command | undefined): SplitWords {
  const [typed, rest] = splitAt(argv, '--')
  if (command === undefined) return { own: typed, rest, tool: [] }
  const joined = joinJson(typed)
  if (command.takesToolFlags !== true) return { own: joined, rest, tool: [] }
  const { own, tool } = splitToolFlags(joined, command)
  const [programWords, afterSecond] = splitAt(rest, '--')
  return { own, rest: programWords, tool: [...tool, ...afterSecond] }
}

function splitAt(words: readonly string[], separator: string): [readonly string[], readonly string[]] {
  const at = words.indexOf(separator)
  return at < 0 ? [words, []] : [words.slice(0, at), words.slice(at + 1)]
}

function joinJson(words: readonly string[]): string[] {
  const joined: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const following = words[at + 1]
    if (word !== '--json') joined.push(word)
    else if (following === undefined || !jsonStart.test(following)) joined.push('--json=')
    else {
      joined.push(`--json=${following}`)
      at++
    }
  }
  return joined
}

function splitToolFlags(words: readonly string[], command: Command): Pick<SplitWords, 'own' | 'tool'> {
  const arities = optionArities(command)
  const isOwn = (word: string) => arities.has(word.startsWith('--') ? toOptionName(word) : word.slice(0, 2))
  const own: string[] = []
  const tool: string[] = []
  // The first word is the name of the command.
  let positionals = -1
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const following = words[at + 1]
    if (word.startsWith('-') && isOwn(word)) {
      own.push(word)
      const isJoined = word.startsWith('--') ? word.includes('=') : word.length > 2
      if (!isJoined && arities.get(toOptionName(word)) === 'value' && following !== undefined)
        own.push(words[++at] ?? '')
    } else if (word.startsWith('--') && positionals > 0) {
      tool.push(word)
      const takesWord = !word.includes('=') && !word.startsWith('--no-')
      if (
        !takesWord ||
        following === undefined ||
        following.startsWith('--') ||
        (following.startsWith('-') && isOwn(following))
      )
        continue
      tool.push(words[++at] ?? '')
      // `--labels a=1 b=2` is two members of one object, `--scores 1 2` two items of one list.
      const continues = [isMember, isNumberWord].find(isPart => isPart(following))
      while (continues?.(words[at + 1])) tool.push(words[++at] ?? '')
    } else {
      own.push(word)
      if (!word.startsWith('-')) positionals++
    }
  }
  return { own, tool }
}

/**
 * Returns the flags of a tool as `splitWords` reads them after the tool and its source: after `-- --` if one of them is
 * named like an option of the command.
 */
export function separateFlags(flags: readonly string[], command: Command): readonly string[] {
  const arities = optionArities(command)
  const hasOwn = flags.some(flag =>
    arities.has(toOptionName(flag.replace(/^\[/, '').replace(/[\s\]].*$/s, ''))),
  )
  return hasOwn ? ['--', '--', ...flags] : flags
}

const toOptionName = (word: string) => word.split('=', 1)[0] ?? word
