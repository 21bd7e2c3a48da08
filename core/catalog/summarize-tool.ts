import { isDataIcon, readIcons } from '../tool/icons.ts'
import type { Tool } from '../tool/tool.ts'
import type { ToolSummary } from './rows.ts'

const maxSummaryCharacters = 200
/** Keeps a list of a hundred rows small. A larger picture is shown only with the tool itself. */
const maxIconCharacters = 8_192

/** Control characters, and marks that change the text direction, because a row must not affect the next one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

/** Returns the first line with text, at most 200 characters, without control characters. Accepts any text. */
export function summarizeFirstLine(text: string): string {
  const start = text.trimStart().slice(0, 20 * maxSummaryCharacters)
  const [line = ''] = start.split(/[\r\n\u2028\u2029]/u, 1)
  const clean = line.replace(unsafe, ' ').replace(/\s+/gu, ' ').trim()
  if (clean.length <= maxSummaryCharacters) return clean
  const cut = clean.slice(0, maxSummaryCharacters - 1)
  const whole = /[\ud800-\udbff]$/u.test(cut) ? cut.slice(0, -1) : cut
  return `${whole.trimEnd()}…`
}

/** Returns the fields of a tool that a list shows. */
export function summarizeTool(tool: Tool): ToolSummary {
  const title = summarizeFirstLine(tool.title ?? tool.annotations?.title ?? '')
  const summary = summarizeFirstLine(tool.description ?? '')
  const icon = readIcons(tool.extra?.icons).find(
    each => isDataIcon(each) && each.src.length <= maxIconCharacters,
  )
  return {
    ref: tool.ref,
    source: tool.source,
    name: tool.name,
    ...(tool.kind !== undefined && { kind: tool.kind }),
    ...(title !== '' && { title }),
    ...(summary !== '' && { summary }),
    ...(tool.annotations !== undefined && { annotations: tool.annotations }),
    ...(icon !== undefined && { icon: icon.src }),
    callable: tool.callable,
    hasOutputSchema: tool.outputSchema !== undefined,
  }
}
