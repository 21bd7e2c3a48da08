/** What an agent is given for a set of tools, in parts: one for each tool, so that each can be weighed alone. */
import { isDeeperThan } from '../json/depth.ts'
import { finish, type Steps } from '../slices.ts'
import type { Tool } from '../tool/tool.ts'
import { anthropicEntry, helpTool, mcpEntry, openaiEntry } from './entries.ts'
import type { PromptFormat, PromptPart, PromptParts } from './formats.ts'
import { legalNames } from './legal-names.ts'
import { scriptedPartsInSteps } from './scripted.ts'

export interface PromptOptions {
  readonly format: PromptFormat
  /** Names and one-liners only; the schemas are left to `help`. */
  readonly compact: boolean
  /** What the set of tools is called, for the `text` format. */
  readonly set: string
  /** Whether scripts may use files of their own, for the `text` format; they may unless this is false. */
  readonly files?: boolean
}

/** The prompt for these tools, in their order. Takes any schema; never throws. */
export function promptParts(tools: readonly Tool[], options: PromptOptions): PromptParts {
  return finish(promptPartsInSteps(tools, options))
}

/** As `promptParts`, in steps. */
export function* promptPartsInSteps(tools: readonly Tool[], options: PromptOptions): Steps<PromptParts> {
  const { format, compact, set, files = true } = options
  if (format === 'text') return yield* scriptedPartsInSteps(tools, { compact, set, files })
  const names = legalNames(tools, compact ? [helpTool.name] : [])
  const toEntry = { mcp: mcpEntry, openai: openaiEntry, anthropic: anthropicEntry }[format]
  const parts: PromptPart[] = []
  for (const [index, tool] of tools.entries()) {
    const name = names[index] ?? ''
    parts.push({ tool, name, text: toEntry(tool, name, compact) })
    yield
  }
  const open = format === 'mcp' ? '{"tools":[' : '['
  const help = compact ? toEntry(helpTool, helpTool.name, false) : ''
  return {
    format,
    head: `${open}${help}${help !== '' && parts.length > 0 ? ',' : ''}`,
    parts,
    separator: ',',
    tail: format === 'mcp' ? ']}' : ']',
  }
}

/** The whole prompt as it is sent. */
export function wirePrompt({ head, parts, separator, tail }: PromptParts): string {
  return `${head}${parts.map(part => part.text).join(separator)}${tail}`
}

/** Indenting what is nested deeper makes megabytes of blanks. */
const maxIndentedLevels = 100

/** The whole prompt for people: JSON is indented by two spaces, unless it is nested very deep; a line break at the end. */
export function readablePrompt(prompt: PromptParts): string {
  const text = wirePrompt(prompt)
  if (prompt.format === 'text') return `${text}\n`
  const value: unknown = JSON.parse(text)
  return `${isDeeperThan(value, maxIndentedLevels) ? text : JSON.stringify(value, null, 2)}\n`
}

/** The beginning for people, about `limit` characters: the first tools, cut where that is still too much. */
export function promptPreview(prompt: PromptParts, limit: number): { text: string; cut: boolean } {
  let characters = 0
  const end = prompt.parts.findIndex(({ text }) => {
    characters += text.length
    return characters > limit
  })
  const some = end < 0 ? prompt : { ...prompt, parts: prompt.parts.slice(0, end + 1) }
  const text = readablePrompt(some)
  return { text: text.slice(0, limit), cut: end >= 0 || text.length > limit }
}

/** Characters of the prompt as it is sent. */
export function wireLength({ head, parts, separator, tail }: PromptParts): number {
  const separators = Math.max(0, parts.length - 1) * separator.length
  return parts.reduce((sum, { text }) => sum + text.length, head.length + separators + tail.length)
}
