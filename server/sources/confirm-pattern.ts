/** The patterns of LLM_MCP_NEED_CONFIRM and LLM_MCP_SKIP_CONFIRM, which match the names of tools. */
import type { ManifestProblem } from '../../core/tool/tool.ts'

/** Returns whether a pattern matches the name. */
export type NameMatcher = (name: string) => boolean

/**
 * Returns the matcher of LLM_MCP_NEED_CONFIRM; undefined if it is not set. An invalid pattern is added to `problems` and
 * matches every name.
 */
export const readNeedPattern = (environment: NodeJS.ProcessEnv, problems: ManifestProblem[]) =>
  readPattern('LLM_MCP_NEED_CONFIRM', true, environment, problems)

/** Like `readNeedPattern` for LLM_MCP_SKIP_CONFIRM, but an invalid pattern matches no name. */
export const readSkipPattern = (environment: NodeJS.ProcessEnv, problems: ManifestProblem[]) =>
  readPattern('LLM_MCP_SKIP_CONFIRM', false, environment, problems)

async function readPattern(
  variable: string,
  matchesIfInvalid: boolean,
  environment: NodeJS.ProcessEnv,
  problems: ManifestProblem[],
): Promise<NameMatcher | undefined> {
  const pattern = environment[variable]
  if (pattern === undefined || pattern === '') return undefined
  // RE2 runs in linear time, so a pattern of an untrusted tree cannot hang Toolscope. Imported late: most users set none.
  const { RE2JS } = await import('re2js')
  try {
    const compiled = RE2JS.compile(wordPattern(pattern))
    return name => compiled.matcher(name).find()
  } catch {
    problems.push({
      message: `${variable} cannot be read as a pattern of grep -E: ${pattern.slice(0, 100)}`,
      hint: matchesIfInvalid
        ? 'Until it is fixed, every tool asks first.'
        : 'Until it is fixed, it skips nothing.',
    })
    return () => matchesIfInvalid
  }
}

const word = '[\\p{L}\\p{N}_]'
const notWord = '[^\\p{L}\\p{N}_]'
/** GNU's escapes. RE2's boundary does not state on which side the word is, so it may match too many names. */
const escapes: Readonly<Record<string, string>> = {
  w: word,
  W: notWord,
  '<': '\\b',
  '>': '\\b',
  '`': '^',
  "'": '$',
}

/**
 * Returns an RE2 expression that matches a name if `grep -w -E <pattern>` would: a match must begin and end with a
 * whole word. Throws an Error for back references, which RE2 does not support.
 */
export function wordPattern(pattern: string): string {
  // A pattern of several lines is one pattern per line.
  const any = pattern.split('\n').map(line => `(?:${toRe2(line)})`)
  return `(?:^|${notWord})(?:${any.join('|')})(?:${notWord}|$)`
}

/**
 * Keeps what means the same in both; converts GNU's escapes, and backslashes in brackets, which are literal in grep.
 */
function toRe2(pattern: string): string {
  const part = /\\([\s\S]?)|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\(\?|[\s\S]/g
  return pattern.replace(part, (text, escaped: string | undefined) => {
    if (text === '(?') throw new Error('a repetition of nothing')
    if (escaped === undefined)
      return text.startsWith('[') && text.length > 1 ? text.replaceAll('\\', '\\\\') : text
    if (escaped === '' || /[1-9]/.test(escaped)) throw new Error('a backslash that RE2 cannot read')
    // Other escaped letters are literal.
    return escapes[escaped] ?? (/[A-Za-z0]/.test(escaped) && !/[bBsS]/.test(escaped) ? escaped : text)
  })
}
