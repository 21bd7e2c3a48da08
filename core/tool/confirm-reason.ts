import { isObject, own } from '../json/json.ts'
import type { Tool } from './tool.ts'

/**
 * Why a tool needs confirmation before a call: the user's own rule, a question that its program asks on a terminal, or
 * a hint from its source.
 */
export type ConfirmReason = 'rule' | 'guard' | 'hint'

/** When a tool that only its hint calls destructive asks: a setting of its source ("askBeforeDestructive"). */
export const askModes = ['each-call', 'once', 'never'] as const
export type AskMode = (typeof askModes)[number]

type Asking = Pick<Tool, 'annotations' | 'extra'>

/**
 * Returns undefined if the tool needs no confirmation. The rule goes before the other reasons; it comes from
 * LLM_MCP_NEED_CONFIRM and LLM_MCP_SKIP_CONFIRM, which the catalog reads into `extra.confirm`
 * (server/catalog/confirm-rules.ts), as it does the setting of the source, which concerns the hint only. A tool that
 * claims to be both read-only and destructive counts as destructive.
 */
export function confirmReason(tool: Asking): ConfirmReason | undefined {
  const reason = dangerReason(tool)
  return reason === 'hint' && getAskMode(tool) === 'never' ? undefined : reason
}

/** Returns the setting of the tool's source; undefined if it is not set. */
export function getAskMode({ extra }: Asking): AskMode | undefined {
  return askModes.find(mode => mode === extra?.askBeforeDestructive)
}

/** Like `confirmReason`, but ignores the setting of the source: for runs without a person to ask. */
export function dangerReason(tool: Asking): ConfirmReason | undefined {
  const confirm = tool.extra?.confirm
  if (confirm === true) return 'rule'
  if (confirm === false) return undefined
  if (typeof tool.extra?.guard === 'string') return 'guard'
  return tool.annotations?.destructiveHint === true ? 'hint' : undefined
}

const reasons: Record<Exclude<ConfirmReason, 'guard'>, string> = {
  rule: 'LLM_MCP_NEED_CONFIRM asks before this tool.',
  hint: 'The server marks this tool destructive (unverified).',
}

/**
 * Returns the reason in a sentence. For a program's own question it returns that question, with the input filled in.
 */
export function confirmText(tool: Asking, input: unknown): string {
  const reason = confirmReason(tool)
  if (reason !== 'guard') return reason === undefined ? '' : reasons[reason]
  const question = String(tool.extra?.guard).replace(
    /\$(?:\{argc_(\w+)\}|argc_(\w+))/g,
    (text, braced, plain) => {
      const value = isObject(input) ? own(input, braced ?? plain) : undefined
      return typeof value === 'string' ? value.slice(0, 1_000) : text
    },
  )
  return question === '' ? 'Its program asks before it continues.' : `Its program asks: “${question}”`
}
