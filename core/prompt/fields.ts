/** The parts of a tool's definition that weigh most. */
import { isFields, own } from '../fields.ts'
import { toPointer } from '../schema/pointer.ts'
import type { Tool } from '../tool.ts'
import type { CountTexts, FieldTokens } from './measure.ts'
import type { PromptParts } from './prompt.ts'

/** So many are told, out of so many of the longest that are counted: a token is four characters, give or take. */
const TOLD = 20
const COUNTED = 100

/** A schema of more parts than this is looked at in part. */
const MAX_FIELDS = 2_000

interface Field {
  readonly at: number
  readonly path: string
  readonly text: string
}

/**
 * Of the JSON text of every parameter, definition, description and output schema the heaviest, at most 20. Only the
 * hundred longest texts are counted. `weights` are the tools' own, in the order of the parts.
 */
export async function heavyFields(
  { parts }: PromptParts,
  weights: readonly number[],
  count: CountTexts,
): Promise<readonly FieldTokens[]> {
  const longest: Field[] = []
  for (const [at, { tool }] of parts.entries())
    for (const field of fieldsOf(tool, at)) {
      if (longest.length >= 4 * COUNTED) shorten(longest)
      longest.push(field)
    }
  shorten(longest)
  const tokens = await count(longest.map(({ text }) => text))
  return longest
    .flatMap(({ at, path }, index) => {
      const part = parts[at]
      if (part === undefined) return []
      const own = tokens[index] ?? 0
      const share = Math.min(1, own / Math.max(1, weights[at] ?? 1))
      return [{ ref: part.tool.ref, name: part.name, path, tokens: own, share }]
    })
    .sort((left, right) => right.tokens - left.tokens)
    .slice(0, TOLD)
}

function shorten(fields: Field[]): void {
  fields.sort((left, right) => right.text.length - left.text.length)
  fields.splice(COUNTED)
}

function fieldsOf(tool: Tool, at: number): Field[] {
  const found: Field[] = []
  const add = (path: string, name: string, value: unknown) => {
    const text = found.length < MAX_FIELDS ? safeJson(value) : undefined
    if (text !== undefined) found.push({ at, path, text: `${JSON.stringify(name)}:${text}` })
  }
  if (tool.description) add('/description', 'description', tool.description)
  if (tool.outputSchema !== undefined) add('/outputSchema', 'outputSchema', tool.outputSchema)
  if (!isFields(tool.inputSchema)) return found
  for (const keyword of ['properties', '$defs', 'definitions']) {
    const map = own(tool.inputSchema, keyword)
    if (!isFields(map)) continue
    for (const name of Object.keys(map)) add(toPointer(['inputSchema', keyword, name]), name, own(map, name))
  }
  return found
}

function safeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // Nested beyond the stack.
    return undefined
  }
}
