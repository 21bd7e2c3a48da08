/** The prompt for a set of tools, in parts: one for each tool, so that each can be counted separately. */

import { summarizeFirstLine } from '../catalog/rows.ts'
import type { SearchIndex } from '../catalog/search-index.ts'
import { isDeeperThan, isObject, own } from '../json/json.ts'
import { finish, type Slices } from '../slices.ts'
import type { JsonSchema, Tool } from '../tool/tool.ts'
import { toolMatcher } from '../tool/tool-pattern.ts'
import { legalNames } from './legal-names.ts'
import type { PromptFormat, PromptPart, PromptParts } from './prompt-formats.ts'
import { nameToolCommandsInSteps, type ToolCommand } from './tool-commands.ts'
import { flagsText, listFlags } from './usage-line.ts'

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
  if (format === 'text') {
    const { entries } = yield* nameToolCommandsInSteps(tools)
    return yield* scriptedPartsInSteps(entries, { compact, set, files })
  }
  const names = legalNames(tools, { taken: compact ? [helpTool.name] : [] })
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
export function cutPromptPreview(prompt: PromptParts, limit: number): { text: string; cut: boolean } {
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

interface ScriptedOptions {
  readonly compact: boolean
  readonly set: string
  /** Whether scripts may use their own files. */
  readonly files: boolean
}

const shell = {
  files: 'Shell logic, stdin pipelines and files that last as long as the script are available.',
  noFiles: 'Shell logic and stdin pipelines are available; filesystem primitives are unavailable.',
}

/**
 * The system prompt of a scripted tool: one tool that runs bash, with each tool of the catalog as a command. Full: each
 * command with its flags. Compact: each command with the first line of its description. The sentences come from the
 * engine that runs Toolscope's scripts.
 */
export function scriptedParts(entries: readonly ToolCommand[], options: ScriptedOptions): PromptParts {
  return finish(scriptedPartsInSteps(entries, options))
}

/** Does the same as `scriptedParts`, in steps. */
function* scriptedPartsInSteps(
  entries: readonly ToolCommand[],
  { compact, set, files }: ScriptedOptions,
): Slices<PromptParts> {
  const parts: PromptPart[] = []
  for (const { command, tool } of entries) {
    parts.push({
      tool,
      name: command,
      text: compact ? withSummary(command, tool) : withFlags(command, tool),
    })
    yield
  }
  return {
    format: 'text',
    head: `${set}: run bash scripts that orchestrate registered tool commands. Commands: `,
    parts,
    separator: ', ',
    tail: `. Pass args as --key value or --key=value. ${shell[files ? 'files' : 'noFiles']} Use help/discover builtins for runtime details.`,
  }
}

function withSummary(command: string, tool: Tool): string {
  const summary = summarizeFirstLine(tool.description ?? '')
  return summary === '' ? command : `${command} (${summary})`
}

function withFlags(command: string, tool: Tool): string {
  const flags = flagsText(listFlags(tool.inputSchema))
  return flags === '' ? command : `${command} [${flags}]`
}

interface ToolChoice {
  /** Source names; empty is all. */
  readonly sources: readonly string[]
  /** Words that the search must all find in the tool, or a pattern with `*` over name or reference; empty means all. */
  readonly query: string
  /** References of excluded tools. */
  readonly without: readonly string[]
}

/** Returns the tools in the order of the catalog, not of the search. */
export function chooseTools(index: SearchIndex, { sources, query, without }: ToolChoice): readonly Tool[] {
  const left = new Set(without)
  const found = query.includes('*')
    ? inSources(index.tools, sources).filter(toolMatcher(query))
    : index
        .search(query, { sources, filters: [], everyWord: true })
        .order.toSorted((a, b) => a - b)
        .flatMap(at => index.tools[at] ?? [])
  return left.size === 0 ? found : found.filter(tool => !left.has(tool.ref))
}

function inSources(tools: readonly Tool[], sources: readonly string[]): readonly Tool[] {
  const wanted = new Set(sources)
  return wanted.size === 0 ? tools : tools.filter(tool => wanted.has(tool.source))
}

/** Returns the name of the set: that of its only source, or of the program. */
export function setName(tools: readonly Tool[]): string {
  const [first] = tools
  return first !== undefined && tools.every(tool => tool.source === first.source) ? first.source : 'toolscope'
}
