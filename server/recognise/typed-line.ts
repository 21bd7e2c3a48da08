/**
 * Reads what a person types or pastes for a source: a command, perhaps with a prompt sign, variables or another
 * program's command around it.
 */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { mask } from '../../core/tool/mask.ts'
import { fileStatus, quoteWords } from '../process/command-line.ts'

export interface TypedLine {
  readonly words: readonly string[]
  /** The words as they were typed, including quotes. */
  readonly line: string
  /** `NAME=value` before the command. */
  readonly environment?: Readonly<Record<string, string>>
  /** Headers for a URL. */
  readonly headers?: Readonly<Record<string, string>>
  /** The name of the source in another program's command. */
  readonly name?: string
}

/**
 * Reads a line as a shell would, including `~/` but without escapes and variables: `FOO=bar npx …`, `$ npx …`,
 * `toolscope npx -- …`, `claude mcp add NAME -- …`, and lines that end with `\`. A text that is a file of `directory`
 * is one word, because a path may contain spaces. Throws AppError `usage` if a quote is not closed or a value is a
 * mask.
 */
export function readTypedLine(text: string, directory: string): TypedLine {
  if (fileStatus(resolve(directory, text)) !== null) return { words: [text], line: text }
  return readTokens(splitTokens(text))
}

const assignment = /^[A-Za-z_]\w*=/

/** Returns how many variables stand before a command: 2 for `A=1 B=2 node x.mjs`. The last word is a command. */
function countVariables(words: readonly string[]): number {
  const command = words.findIndex(word => !assignment.test(word))
  return command < 0 ? words.length - 1 : command
}

/** Reads the words of a command and the variables before it. Throws AppError `usage` if a value is a mask. */
export function readWords(given: readonly string[]): Pick<TypedLine, 'words' | 'environment'> {
  const count = countVariables(given)
  if (count < 1) return { words: given }
  const environment = Object.assign({}, ...given.slice(0, count).map(word => pair(word, '=')))
  return { words: given.slice(count), environment }
}

/** Marks a command as an MCP server: `A=1 npx some-server` → `A=1 mcp:npx some-server`. */
export function markServer(words: readonly string[]): readonly string[] {
  const count = Math.max(0, countVariables(words))
  return [...words.slice(0, count), `mcp:${words[count]}`, ...words.slice(count + 1)]
}

/** Words as they were typed. */
type Tokens = readonly string[]

function splitTokens(text: string): Tokens {
  const joined = text.replace(/\\\r?\n/g, ' ')
  const tokens: string[] = []
  const pattern = /\s*((?:[^\s"']|"[^"]*"|'[^']*')+)/y
  let end = 0
  for (let found = pattern.exec(joined); found !== null; found = pattern.exec(joined)) {
    tokens.push(found[1] ?? '')
    end = pattern.lastIndex
  }
  const open = /["']/.exec(joined.slice(end))
  if (open !== null)
    throw new AppError('usage', `the ${open[0]} at character ${end + open.index + 1} is not closed`, {
      hint: 'Close the quote, or remove it. Inside of double quotes single ones need no end, and the other way round.',
    })
  // A single-line input removes the line breaks of a pasted command and leaves the backslashes.
  return tokens.filter(token => token !== '\\').map(atHome)
}

/** `~/tools`, `NAME=~/tools`: replaces an unquoted `~` with the home directory, as a shell does. */
const atHome = (token: string) =>
  token.replace(/^([A-Za-z_]\w*=)?~(?=[/\\]|$)/, (_, name = '') => `${name}${quoteWords([homedir()])}`)

const unquoteToken = (token: string) => token.replace(/"([^"]*)"|'([^']*)'/g, '$1$2')

function readTokens(tokens: Tokens): TypedLine {
  const [first, second, ...rest] = tokens
  if (first === undefined || second === undefined) return toTypedLine(tokens)
  if (/^[$%>]$/.test(first)) return readTokens(tokens.slice(1))
  if (assignment.test(unquoteToken(first))) {
    const { environment, ...line } = readTokens(tokens.slice(1))
    return { ...line, environment: { ...pair(unquoteToken(first), '='), ...environment } }
  }
  if (first === 'toolscope') return readOwnCommand(tokens)
  return first === 'claude' && second === 'mcp' && rest[0] === 'add'
    ? readClaudeCommand(rest.slice(1))
    : toTypedLine(tokens)
}

/** Returns variables or headers that were given as `NAME=value` or `Name: value`. Throws AppError `usage`. */
export function readPairs(
  given: readonly string[],
  { separator, option }: { readonly separator: '=' | ':'; readonly option: string },
): Readonly<Record<string, string>> {
  const pairs = given.map(text => {
    const at = text.indexOf(separator)
    const name = text.slice(0, at)
    const isName = separator === '=' ? /^[A-Za-z_]\w*$/ : /^[\w!#$%&'*+.^`|~-]+$/
    if (at > 0 && isName.test(name)) return pair(text, separator)
    const form = separator === '=' ? 'NAME=VALUE' : 'NAME: VALUE'
    throw new AppError('usage', `${option} is ${JSON.stringify(text)}, and must be ${form}`, {
      hint: 'An option of the program goes with it in quotes, or behind --: "node -e …", node -- -e …',
    })
  })
  return Object.assign({}, ...pairs)
}

const toTypedLine = (tokens: Tokens): TypedLine => ({
  words: tokens.map(unquoteToken),
  line: tokens.join(' '),
})

/** Words after `--` belong to the program before it; without a program before it, they start an MCP server. */
function readOwnCommand(tokens: Tokens): TypedLine {
  const own = tokens[1] === 'serve' ? tokens.slice(2) : tokens.slice(1)
  const [program = '', dashes, ...rest] = own
  if (program === '--' && dashes !== undefined) return readTokens(markServer([dashes, ...rest]))
  if (dashes === '--') return toTypedLine([program, ...rest])
  if (own.length === 1 && !program.startsWith('-')) return readTokens(splitTokens(unquoteToken(program)))
  return toTypedLine(tokens)
}

/** `claude mcp add [options] NAME [--] COMMAND…`; a URL may replace the command. */
function readClaudeCommand(tokens: Tokens): TypedLine {
  const dashes = tokens.indexOf('--')
  const own = dashes < 0 ? tokens : tokens.slice(0, dashes)
  const plain: string[] = []
  let environment: Readonly<Record<string, string>> | undefined
  let headers: Readonly<Record<string, string>> | undefined
  for (let at = 0; at < own.length; at++) {
    const token = own[at] ?? ''
    const isOption = plain.length < 2 || /^https?:/.test(plain[1] ?? '')
    if (!isOption || !token.startsWith('-')) {
      plain.push(token)
      continue
    }
    at += 1
    const value = unquoteToken(own[at] ?? '')
    if (/^(?:-e|--env)$/.test(token)) environment = { ...environment, ...pair(value, '=') }
    if (/^(?:-H|--header)$/.test(token)) headers = { ...headers, ...pair(value, ':') }
  }
  const [name = '', ...command] = plain
  const line = toTypedLine(dashes < 0 ? command : tokens.slice(dashes + 1))
  return { ...line, ...withoutUndefined({ environment, headers }), name: unquoteToken(name) }
}

function pair(word: string, separator: '=' | ':'): Readonly<Record<string, string>> {
  const at = word.indexOf(separator)
  const value = word.slice(at + 1).trim()
  if (value.includes(mask))
    throw new AppError('usage', `${word}: ${mask} replaces a secret that Toolscope does not know`, {
      hint: `Write the value where the mask is, or name a variable: \${env:NAME}.`,
    })
  return { [word.slice(0, at)]: value }
}
