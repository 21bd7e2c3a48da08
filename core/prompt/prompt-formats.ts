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

/**
 * The encoding of the counts, and its error for other models. According to Anthropic, its models since Opus 4.7 count
 * some 30% more than earlier ones (https://platform.claude.com/docs/en/build-with-claude/token-counting), which were
 * measured at 16 to 30% more than o200k_base. Google says four characters a token
 * (https://ai.google.dev/gemini-api/docs/tokens); o200k_base has 4.1 on 1,154 tools of published servers. The counts do
 * not include what a provider wraps around the tools.
 */
export const encoding = {
  name: 'o200k_base',
  note: 'exact with OpenAI models since GPT-4o; Claude counts 15 to 70% more, Gemini about the same',
} as const
