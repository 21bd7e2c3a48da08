/** LLM_MCP_NEED_CONFIRM and LLM_MCP_SKIP_CONFIRM: patterns over tool names; NEED wins over SKIP. */
import { RE2JS } from 're2js'
import type { ManifestProblem } from '../../core/tool/tool.ts'
import { wordPattern } from './word-pattern.ts'

export interface ConfirmRules {
  /**
   * For the names that one tool goes by. True: ask before each call. False: never ask. Undefined: the tool's own hints
   * decide.
   */
  needsConfirm(...names: readonly string[]): boolean | undefined
  readonly problems: readonly ManifestProblem[]
}

/** A pattern that cannot be read is a problem; a broken NEED then asks for every tool, a broken SKIP skips none. */
export function readConfirmRules(environment: NodeJS.ProcessEnv): ConfirmRules {
  const problems: ManifestProblem[] = []
  const matcher = (variable: string, broken: boolean) => {
    const pattern = environment[variable]
    if (pattern === undefined || pattern === '') return () => false
    try {
      // RE2: a pattern of a tree that somebody else wrote must not be able to hang us.
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
