import type { Tool } from '../tool/tool.ts'

/** Why a tool asks before it is called: the user's own rule, or a hint from its source. */
export type ConfirmReason = 'rule' | 'hint'

/**
 * Undefined where the tool may be called at once. The rule (LLM_MCP_NEED_CONFIRM, LLM_MCP_SKIP_CONFIRM, which the
 * source read into `extra.confirm`) goes before the hint.
 */
export function confirmReason(tool: Pick<Tool, 'annotations' | 'extra'>): ConfirmReason | undefined {
  const confirm = tool.extra?.confirm
  if (confirm === true) return 'rule'
  if (confirm === false) return undefined
  const { destructiveHint, readOnlyHint } = tool.annotations ?? {}
  return destructiveHint === true && readOnlyHint !== true ? 'hint' : undefined
}
