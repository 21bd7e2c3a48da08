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
export const addConfirmRules = async (
  manifest: Manifest,
  environment: NodeJS.ProcessEnv,
  askMode?: AskMode,
): Promise<Manifest> => (await ruleList(manifest, undefined, environment, askMode)).ruled

/** A list as its source gave it, and with the confirm rules. */
export interface RuledList {
  readonly list: Manifest
  readonly ruled: Manifest
  /** Returns the user's rule for a tool, as in `extra.confirm`; the tool may have another name than in the list. */
  readonly findRule: (tool: ManifestTool) => boolean | undefined
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
  const problems: ManifestProblem[] = []
  const need = await readNeedPattern(environment, problems)
  const skip = await readSkipPattern(environment, problems)
  const findRule = (tool: ManifestTool) => matchRule(tool, need, skip)
  const tools = await inSlices(ruleTools(list.tools, findRule, askMode))
  const isUnchanged = problems.length === 0 && tools.every((tool, index) => tool === list.tools[index])
  const ruled = isUnchanged ? list : { ...list, tools, problems: [...problems, ...list.problems] }
  return { list, ruled, askMode, findRule }
}

function matchRule(
  tool: ManifestTool,
  need: NameMatcher | undefined,
  skip: NameMatcher | undefined,
): boolean | undefined {
  const names = [tool.name, authorName(tool)]
  const callers = tool.calledBy === undefined ? [] : [tool.calledBy]
  if (need !== undefined && [...names, ...callers].some(need)) return true
  return skip !== undefined && names.some(skip) ? false : undefined
}

function* ruleTools(
  tools: readonly ManifestTool[],
  findRule: RuledList['findRule'],
  askMode: AskMode | undefined,
): Slices<ManifestTool[]> {
  const ruled: ManifestTool[] = []
  for (const tool of tools) {
    ruled.push(
      withRules(tool, {
        confirm: findRule(tool),
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
