/** The prompt for a set of tools, in parts: one for each tool, so that each can be counted separately. */

import { summarizeFirstLine } from '../catalog/rows.ts'
import { isDeeperThan, isObject, own } from '../json/json.ts'
import { finish, type Slices } from '../slices.ts'
import type { JsonSchema, Tool } from '../tool/tool.ts'
import { legalNames } from './legal-names.ts'
import type { PromptFormat, PromptPart, PromptParts } from './prompt-formats.ts'
import { scriptedPartsInSteps } from './scripted.ts'

export interface PromptOptions {
  readonly format: PromptFormat
  /** Whether to list only names and first lines; `help` then gives the schemas. */
  readonly compact: boolean
  /** The name of the set of tools, for the `text` format. */
  readonly set: string
  /** Whether scripts may use their own files, for the `text` format; true by default. */
  readonly files?: boolean
}

/** Returns the prompt for these tools, in their order. Accepts any schema; never throws. */
export function promptParts(tools: readonly Tool[], options: PromptOptions): PromptParts {
  return finish(promptPartsInSteps(tools, options))
}

/** Does the same as `promptParts`, in steps. */
export function* promptPartsInSteps(tools: readonly Tool[], options: PromptOptions): Slices<PromptParts> {
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

/** Returns the whole prompt as it is sent. */
export function wirePrompt({ head, parts, separator, tail }: PromptParts): string {
  return `${head}${parts.map(part => part.text).join(separator)}${tail}`
}

/** The indentation of deeper levels would be megabytes of blanks. */
const maxIndentedLevels = 100

/** Returns the whole prompt in readable form: JSON indented by two spaces unless nested very deep, and a line break. */
export function readablePrompt(prompt: PromptParts): string {
  const text = wirePrompt(prompt)
  if (prompt.format === 'text') return `${text}\n`
  const value: unknown = JSON.parse(text)
  return `${isDeeperThan(value, maxIndentedLevels) ? text : JSON.stringify(value, null, 2)}\n`
}

/** Returns the readable beginning, about `limit` characters: the first tools, cut if they are still too long. */
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

/** Returns the number of characters of the prompt as it is sent. */
export function wireLength({ head, parts, separator, tail }: PromptParts): number {
  const separators = Math.max(0, parts.length - 1) * separator.length
  return parts.reduce((sum, { text }) => sum + text.length, head.length + separators + tail.length)
}

/* Writes one tool for each API, as JSON without indentation. */

/** The schema of a compact entry, and the replacement for one that no API accepts: an object without further rules. */
const anyObject: JsonSchema = { type: 'object' }

type Entry = (tool: Tool, name: string, compact: boolean) => string

const openaiEntry: Entry = (tool, name, compact) =>
  write(
    schema => ({
      type: 'function',
      function: { name, ...described(tool, compact), parameters: schema },
    }),
    pickInputSchema(tool, compact),
  )

const anthropicEntry: Entry = (tool, name, compact) =>
  write(
    schema => ({ name, ...described(tool, compact), input_schema: schema }),
    pickInputSchema(tool, compact),
  )

const mcpEntry: Entry = (tool, name, compact) => {
  const { annotations, outputSchema } = tool
  const title = name === tool.name ? tool.title : tool.title ? `${tool.title} (${tool.name})` : tool.name
  return write(
    (inputSchema, rest) => ({
      name,
      ...(compact || title === undefined ? {} : { title }),
      ...described(tool, compact),
      inputSchema,
      ...(rest && !compact && outputSchema !== undefined ? { outputSchema } : {}),
      ...(rest && !compact && annotations !== undefined ? { annotations } : {}),
    }),
    pickInputSchema(tool, compact),
  )
}

function described({ description }: Tool, compact: boolean): { description?: string } {
  const text = compact && description !== undefined ? summarizeFirstLine(description) : description
  return text === undefined || text === '' ? {} : { description: text }
}

/** Returns the schema unchanged if an API accepts it. */
function pickInputSchema({ inputSchema }: Tool, compact: boolean): JsonSchema {
  if (compact || !isObject(inputSchema)) return anyObject
  return own(inputSchema, 'type') === undefined ? { type: 'object', ...inputSchema } : inputSchema
}

/** Omits a schema that is nested too deep for JSON, so that every tool has an entry. */
function write(make: (schema: JsonSchema, rest: boolean) => object, schema: JsonSchema): string {
  try {
    return JSON.stringify(make(schema, true))
  } catch {
    return JSON.stringify(make(anyObject, false))
  }
}

/** A compact list adds this tool, so that a model can ask for the schemas. */
const helpTool: Tool = {
  ref: 'help',
  source: 'toolscope',
  index: 0,
  callable: true,
  name: 'help',
  description:
    'Gives the full description and the input schema of a tool. Use it before the first call of a tool: the other tools are listed without their schemas.',
  inputSchema: {
    type: 'object',
    properties: { tool: { type: 'string', description: 'Name of the tool.' } },
    required: ['tool'],
    additionalProperties: false,
  },
}
