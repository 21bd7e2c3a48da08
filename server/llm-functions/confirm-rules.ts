/** LLM_MCP_NEED_CONFIRM and LLM_MCP_SKIP_CONFIRM: patterns for tool names; NEED takes precedence over SKIP. */
import { RE2JS } from 're2js'
import type { ManifestProblem } from '../../core/tool/tool.ts'
import { wordPattern } from './word-pattern.ts'

export interface ConfirmRules {
  /**
   * Takes all names of one tool. True: ask before each call. False: never ask. Undefined: the tool's own hints decide.
   */
  needsConfirm(...names: readonly string[]): boolean | undefined
  readonly problems: readonly ManifestProblem[]
}

/**
 * Reads both patterns. An invalid pattern is a problem: an invalid NEED applies to every tool, an invalid SKIP to none.
 */
export function readConfirmRules(environment: NodeJS.ProcessEnv): ConfirmRules {
  const problems: ManifestProblem[] = []
  const matcher = (variable: string, broken: boolean) => {
    const pattern = environment[variable]
    if (pattern === undefined || pattern === '') return () => false
    try {
      // RE2 runs in linear time, so a pattern of an untrusted tree cannot hang Toolscope.
      const compiled = RE2JS.compile(wordPattern(pattern))
      return (name: string) => compiled.matcher(name).find()
    } catch {
      problems.push({
        message: `${variable} cannot be read as a pattern of grep -E: ${pattern.slice(0, 100)}`,
        hint: broken ? 'Until it is mended, every tool asks first.' : 'Until it is mended, it skips nothing.',
      })
      return () => broken
    }
  }
  const need = matcher('LLM_MCP_NEED_CONFIRM', true)
  const skip = matcher('LLM_MCP_SKIP_CONFIRM', false)
  return {
    needsConfirm: (...names) => (names.some(need) ? true : names.some(skip) ? false : undefined),
    problems,
  }
}
