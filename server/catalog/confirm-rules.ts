/**
 * Decides what asks before a call. LLM_MCP_NEED_CONFIRM and LLM_MCP_SKIP_CONFIRM are patterns for the names of the tools
 * of every source; a setting of each source concerns its destructive tools.
 */
import { withoutUndefined } from '../../core/json/json.ts'
import type { Slices } from '../../core/slices.ts'
import type { AskMode } from '../../core/tool/confirm-reason.ts'
import { authorName, type FunctionExtra } from '../../core/tool/function-extra.ts'
import type { Manifest, ManifestProblem, ManifestTool } from '../../core/tool/tool.ts'
import { type NameMatcher, readNeedPattern, readSkipPattern } from '../sources/confirm-pattern.ts'
import { inSlices } from '../workers/run-slices.ts'

/**
 * Returns the manifest with the user's rule for each tool in `extra.confirm`: true if NEED matches one of its names or
 * the tool that calls it, false if only SKIP matches one of its names, else absent; a `confirm` of the list itself is removed. An invalid pattern becomes a
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
  const need = await readNeedPattern(environment, problems)
  const skip = await readSkipPattern(environment, problems)
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

interface Rules {
  readonly need: NameMatcher | undefined
  readonly skip: NameMatcher | undefined
  readonly askMode: AskMode | undefined
}

function* ruleTools(tools: readonly ManifestTool[], { need, skip, askMode }: Rules): Slices<ManifestTool[]> {
  const ruled: ManifestTool[] = []
  for (const tool of tools) {
    const names = [tool.name, authorName(tool)]
    const callers = tool.calledBy === undefined ? [] : [tool.calledBy]
    const isNeeded = need !== undefined && [...names, ...callers].some(need)
    ruled.push(
      withRules(tool, {
        confirm: isNeeded ? true : skip !== undefined && names.some(skip) ? false : undefined,
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
