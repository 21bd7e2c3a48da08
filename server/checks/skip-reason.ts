/** Why a tool is skipped in an unattended run, unless a flag allows it. */
import { type ConfirmReason, dangerReason } from '../../core/tool/confirm-reason.ts'
import type { Tool } from '../../core/tool/tool.ts'

export interface Allowed {
  /** Allows every tool: those that need confirmation, and those that write. */
  readonly allowDestructive: boolean
  /** Allows tools that do not declare themselves read-only. */
  readonly allowWrites: boolean
}

const reasons: Record<ConfirmReason, string> = {
  rule: 'LLM_MCP_NEED_CONFIRM asks before this tool',
  guard: 'its program asks on a terminal before it goes on',
  hint: 'its source calls it destructive',
}

export interface Skipped {
  /** One line. */
  readonly message: string
  /** The flag of the command that allows the call; absent if no flag does. */
  readonly flag?: 'allow-writes' | 'allow-destructive'
}

/** Returns undefined if the tool may be called. */
export function skipReason(tool: Tool, { allowDestructive, allowWrites }: Allowed): Skipped | undefined {
  if (!tool.callable) return { message: 'its source gives no way to call it' }
  if (allowDestructive) return undefined
  const reason = dangerReason(tool)
  if (reason !== undefined) return { message: reasons[reason], flag: 'allow-destructive' }
  return allowWrites || tool.annotations?.readOnlyHint === true
    ? undefined
    : { message: 'it does not say that it only reads', flag: 'allow-writes' }
}

/** The message with the flag, for the command line. */
export const skippedText = ({ message, flag }: Skipped) =>
  flag === undefined ? message : `${message} (--${flag} runs it)`
