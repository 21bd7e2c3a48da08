/** Finds the heaviest parts of tool definitions. */
import { isObject, jsonText, own } from '../json/json.ts'
import { toPointer } from '../json/pointer.ts'
import type { Tool } from '../tool/tool.ts'
import type { PromptParts } from './prompt-formats.ts'

/** Counts many texts in one call, possibly on another thread. */
export type CountTexts = (texts: readonly string[]) => Promise<readonly number[]>

export interface FieldTokens {
  /** The first tool that has the field. */
  readonly ref: string
  readonly name: string
  /** JSON Pointer from the tool's fields: `/inputSchema/properties/role`, `/description`. */
  readonly path: string
  /** Tokens of one such field. */
  readonly tokens: number
  /** The number of tools with exactly the same field. */
  readonly tools: number
  /** The share in the first tool's tokens in full, 0 to 1. */
  readonly share: number
}

/** Maximum returned fields, and how many of the longest are counted: a token is about four characters. */
const maxReturned = 20
const maxCounted = 40

/** Maximum searched tools: the heaviest ones. */
const maxTools = 1_000

/** Maximum parts of one schema that are read. */
const maxFields = 2_000

interface PromptField {
  /** The position of the first tool that has the field. */
  readonly at: number
  readonly path: string
  readonly text: string
  tools: number
}

/**
 * Returns at most 20 of the heaviest parts of the tools' JSON: parameters, definitions, descriptions and output
 * schemas. Identical parts of several tools are one field. Only the forty longest parts of the thousand heaviest tools
 * are counted. `weights` are the tools' own, in the order of the parts.
 */
export async function heavyFields(
  { parts, format }: PromptParts,
  weights: readonly number[],
  count: CountTexts,
): Promise<readonly FieldTokens[]> {
  const fields = new Map<string, PromptField>()
  for (const at of heaviest(weights)) {
    const tool = parts[at]?.tool
    if (tool === undefined) continue
    for (const [path, text] of listFieldTexts(tool, format === 'mcp')) {
      const key = `${path}\n${text}`
      const known = fields.get(key)
      if (known) known.tools += 1
      else fields.set(key, { at, path, text, tools: 1 })
    }
  }
  const longest = [...fields.values()]
    .sort((left, right) => right.text.length * right.tools - left.text.length * left.tools)
    .slice(0, maxCounted)
  const tokens = await count(longest.map(({ text }) => text))
  return longest
    .flatMap(({ at, path, tools }, index) => {
      const part = parts[at]
      if (part === undefined) return []
      const own = tokens[index] ?? 0
      const share = Math.min(1, own / Math.max(1, weights[at] ?? 1))
      return [{ ref: part.tool.ref, name: part.name, path, tokens: own, tools, share }]
    })
    .sort((left, right) => right.tokens * right.tools - left.tokens * left.tools)
    .slice(0, maxReturned)
}

/** Returns the positions of the heaviest tools, in the order of the catalog. */
function heaviest(weights: readonly number[]): readonly number[] {
  const positions = weights.map((_, at) => at)
  if (positions.length <= maxTools) return positions
  const byWeight = positions.toSorted((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0))
  return byWeight.slice(0, maxTools).sort((a, b) => a - b)
}

function listFieldTexts(tool: Tool, withOutput: boolean): [path: string, text: string][] {
  const found: [string, string][] = []
  const add = (path: string, name: string, value: unknown) => {
    const text = found.length < maxFields ? jsonText(value) : undefined
    if (text !== undefined) found.push([path, `${JSON.stringify(name)}:${text}`])
  }
  if (tool.description) add('/description', 'description', tool.description)
  if (withOutput && tool.outputSchema !== undefined) add('/outputSchema', 'outputSchema', tool.outputSchema)
  if (!isObject(tool.inputSchema)) return found
  for (const keyword of ['properties', '$defs', 'definitions']) {
    const map = own(tool.inputSchema, keyword)
    if (!isObject(map)) continue
    for (const name of Object.keys(map)) add(toPointer(['inputSchema', keyword, name]), name, own(map, name))
  }
  return found
}
