/**
 * Decides what asks before a call. LLM_MCP_NEED_CONFIRM and LLM_MCP_SKIP_CONFIRM are patterns for the names of the tools
 * of every source; a setting of each source concerns its destructive tools.
 */
import { withoutUndefined } from '../../core/json/json.ts'
import type { Slices } from '../../core/slices.ts'
import type { AskMode } from '../../core/tool/confirm-reason.ts'
import { authorName, type FunctionExtra } from '../../core/tool/function-extra.ts'
import type { Manifest, ManifestProblem, ManifestTool } from '../../core/tool/tool.ts'
import { inSlices } from '../workers/run-slices.ts'

/** Returns whether a name matches; undefined if the variable is not set. */
type NameMatcher = ((name: string) => boolean) | undefined

/**
 * Returns the manifest with the user's rule for each tool in `extra.confirm`: true if NEED matches one of its names,
 * false if only SKIP does, else absent; a `confirm` of the list itself is removed. An invalid pattern becomes a
 * problem: an invalid NEED applies to every tool, an invalid SKIP to none. The setting of the source is added to its
 * destructive tools in the same way. Returns `manifest` itself if nothing changes.
 *
 * @param environment the variables that apply to the source
 * @param askMode the setting `askBeforeDestructive` of the source
 */
export async function addConfirmRules(
  manifest: Manifest,
  environment: NodeJS.ProcessEnv,
  askMode?: AskMode,
): Promise<Manifest> {
  const problems: ManifestProblem[] = []
  const need = await readPattern('LLM_MCP_NEED_CONFIRM', true, environment, problems)
  const skip = await readPattern('LLM_MCP_SKIP_CONFIRM', false, environment, problems)
  const tools = await inSlices(ruleTools(manifest.tools, { need, skip, askMode }))
  if (problems.length === 0 && tools.every((tool, index) => tool === manifest.tools[index])) return manifest
  return { ...manifest, tools, problems: [...problems, ...manifest.problems] }
}

/** A list as its source gave it, and with the confirm rules. */
export interface RuledList {
  readonly list: Manifest
  readonly ruled: Manifest
  /** The setting that the rules were added with. */
  readonly askMode: AskMode | undefined
}

/** Returns `last` if list and setting are the same as there. See `addConfirmRules`. */
export async function ruleList(
  list: Manifest,
  last: RuledList | undefined,
  environment: NodeJS.ProcessEnv,
  askMode: AskMode | undefined,
): Promise<RuledList> {
  if (last?.list === list && last.askMode === askMode) return last
  return { list, ruled: await addConfirmRules(list, environment, askMode), askMode }
}

async function readPattern(
  variable: string,
  matchesIfInvalid: boolean,
  environment: NodeJS.ProcessEnv,
  problems: ManifestProblem[],
): Promise<NameMatcher> {
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

interface Rules {
  readonly need: NameMatcher
  readonly skip: NameMatcher
  readonly askMode: AskMode | undefined
}

function* ruleTools(tools: readonly ManifestTool[], { need, skip, askMode }: Rules): Slices<ManifestTool[]> {
  const ruled: ManifestTool[] = []
  for (const tool of tools) {
    const names = [tool.name, authorName(tool)]
    const matches = (matcher: NameMatcher) => matcher !== undefined && names.some(matcher)
    ruled.push(
      withRules(tool, {
        confirm: matches(need) ? true : matches(skip) ? false : undefined,
        askBeforeDestructive: tool.annotations?.destructiveHint === true ? askMode : undefined,
      }),
    )
    yield
  }
  return ruled
}

type OwnExtra = Pick<FunctionExtra, 'confirm' | 'askBeforeDestructive'>

/** Replaces what the list itself says about this. */
function withRules(
  tool: ManifestTool,
  rules: { readonly [Key in keyof OwnExtra]-?: OwnExtra[Key] | undefined },
): ManifestTool {
  const { confirm, askBeforeDestructive, ...others } = tool.extra ?? {}
  const own = withoutUndefined(rules)
  const isUnchanged = confirm === undefined && askBeforeDestructive === undefined
  return isUnchanged && Object.keys(own).length === 0 ? tool : { ...tool, extra: { ...others, ...own } }
}

/** Converts patterns of `grep -w -E`, with which llm-functions' scripts match tool names, into RE2 expressions. */

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
