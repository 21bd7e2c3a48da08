/** The formats in which an agent gets its tools, and the parts of a prompt. */
import type { Tool } from '../tool/tool.ts'

/**
 * `text`: the system prompt of a scripted tool · `mcp`: the answer to tools/list · `openai`: the tools array of Chat
 * Completions (the Responses API has the inner object, with `type` next to `name`) · `anthropic`: the tools array of
 * Messages.
 */
export const promptFormats = ['mcp', 'openai', 'anthropic', 'text'] as const

export type PromptFormat = (typeof promptFormats)[number]

export const promptFormatTitles: Readonly<Record<PromptFormat, string>> = {
  text: 'Scripted tool',
  mcp: 'MCP tools/list',
  openai: 'OpenAI tools',
  anthropic: 'Anthropic tools',
}

export interface PromptPart {
  readonly tool: Tool
  /** The name in the prompt; the tool's own if it is legal and unique. */
  readonly name: string
  /** Its part of the prompt, without indentation. */
  readonly text: string
}

export interface PromptParts {
  readonly format: PromptFormat
  readonly head: string
  readonly parts: readonly PromptPart[]
  /** Between two parts. */
  readonly separator: string
  readonly tail: string
}
