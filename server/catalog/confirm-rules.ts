/** LLM_MCP_NEED_CONFIRM and LLM_MCP_SKIP_CONFIRM: patterns for tool names, for the tools of every kind of source. */
import type { Steps } from '../../core/slices.ts'
import { authorName } from '../../core/tool/function-extra.ts'
import type { Manifest, ManifestProblem, ManifestTool } from '../../core/tool/tool.ts'
import { inSlices } from '../workers/slices.ts'
import { wordPattern } from './word-pattern.ts'

/** Returns whether a name matches; undefined if the variable is not set. */
type Matcher = ((name: string) => boolean) | undefined

/**
 * Returns the manifest with the user's rule for each tool in `extra.confirm`: true if NEED matches one of its names,
 * false if only SKIP does, else absent; a `confirm` of the list itself is removed. An invalid pattern becomes a
 * problem: an invalid NEED applies to every tool, an invalid SKIP to none. Returns `manifest` itself if nothing changes.
 *
 * @param environment the variables that apply to the source
 */
export async function addConfirmRules(manifest: Manifest, environment: NodeJS.ProcessEnv): Promise<Manifest> {
  const problems: ManifestProblem[] = []
  const need = await readPattern('LLM_MCP_NEED_CONFIRM', true, environment, problems)
  const skip = await readPattern('LLM_MCP_SKIP_CONFIRM', false, environment, problems)
  const tools = await inSlices(ruleTools(manifest.tools, need, skip))
  if (problems.length === 0 && tools.every((tool, index) => tool === manifest.tools[index])) return manifest
  return { ...manifest, tools, problems: [...problems, ...manifest.problems] }
}

async function readPattern(
  variable: string,
  matchesIfInvalid: boolean,
  environment: NodeJS.ProcessEnv,
  problems: ManifestProblem[],
): Promise<Matcher> {
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

function* ruleTools(tools: readonly ManifestTool[], need: Matcher, skip: Matcher): Steps<ManifestTool[]> {
  const ruled: ManifestTool[] = []
  for (const tool of tools) {
    const names = [tool.name, authorName(tool)]
    const matches = (matcher: Matcher) => matcher !== undefined && names.some(matcher)
    ruled.push(withConfirm(tool, matches(need) ? true : matches(skip) ? false : undefined))
    yield
  }
  return ruled
}

function withConfirm(tool: ManifestTool, confirm: boolean | undefined): ManifestTool {
  if (confirm === undefined && tool.extra?.confirm === undefined) return tool
  const { confirm: _, ...others } = tool.extra ?? {}
  const extra = confirm === undefined ? others : { ...others, confirm }
  return { ...tool, extra }
}
