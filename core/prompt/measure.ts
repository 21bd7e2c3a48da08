/** How heavy a prompt is: in total, by source, by tool, by field; and what fits a budget. */
import type { Tool } from '../tool/tool.ts'
import { type CountTexts, type FieldTokens, heavyFields } from './fields.ts'
import type { PromptParts } from './formats.ts'
import { type PromptOptions, promptParts } from './prompt.ts'

export interface ToolTokens {
  readonly ref: string
  readonly source: string
  /** The name it is sent under. */
  readonly name: string
  readonly tokens: number
}

export interface Budget {
  readonly tokens: number
  /** How many tools fit from the first on, in the order of the catalog. */
  readonly inOrder: number
  /** How many fit at most: the lightest first. */
  readonly atMost: number
}

export interface PromptMeasure {
  /** Tokens of the prompt asked for. */
  readonly total: number
  readonly full: number
  readonly compact: number
  /** What compact leaves out of full, 0 to 1. Negative where the tools are few and small. */
  readonly saved: number
  /** What is there without any tool. */
  readonly frame: number
  readonly tools: readonly ToolTokens[]
  readonly sources: readonly { readonly source: string; readonly tools: number; readonly tokens: number }[]
  /** Of the full prompt, 20 at most: those first that weigh most over all tools. */
  readonly fields: readonly FieldTokens[]
  readonly budget?: Budget
}

/**
 * Every tool's text is counted once and alone; to each comes what its seam with the tool before it changes, counted
 * on the 16 characters of either side. The total is the sum of head, tools and tail, within 1% of counting the prompt
 * as one text.
 */
export async function measurePrompt(
  tools: readonly Tool[],
  options: PromptOptions,
  count: CountTexts,
  budget?: number,
): Promise<PromptMeasure> {
  // Whoever else lives in this thread gets a turn between the two.
  const full = promptParts(tools, { ...options, compact: false })
  const fullWeights = await weigh(full, count)
  const compact = promptParts(tools, { ...options, compact: true })
  const compactWeights = await weigh(compact, count)
  const asked = options.compact ? compact : full
  const weights = options.compact ? compactWeights : fullWeights
  const weighed = asked.parts.map(({ tool, name }, index) => ({
    ref: tool.ref,
    source: tool.source,
    name,
    tokens: weights.tools[index] ?? 0,
  }))
  return {
    total: weights.total,
    full: fullWeights.total,
    compact: compactWeights.total,
    saved: fullWeights.total === 0 ? 0 : 1 - compactWeights.total / fullWeights.total,
    frame: weights.frame,
    tools: weighed,
    sources: bySource(weighed),
    fields: options.format === 'text' ? [] : await heavyFields(full, fullWeights.tools, count),
    ...(budget === undefined ? {} : { budget: budgetOf(weights, budget) }),
  }
}

interface Weights {
  readonly frame: number
  readonly tools: readonly number[]
  readonly total: number
}

async function weigh(prompt: PromptParts, count: CountTexts): Promise<Weights> {
  const texts = prompt.parts.map(({ text }) => text)
  const [head = 0, tail = 0, ...alone] = await count([prompt.head, prompt.tail, ...texts])
  const joins = await joinsOf(texts, prompt.separator, count)
  const tools = alone.map((tokens, index) => tokens + (joins[index] ?? 0))
  const frame = head + tail
  return { frame, tools, total: tools.reduce((sum, tokens) => sum + tokens, frame) }
}

/** Characters on either side of a seam; the tokens that a seam can change are shorter. */
const seamCharacters = 16

/** What it costs that each text follows another: tokens of the seam, less those of its two sides. Mostly −1, 0 or 1. */
async function joinsOf(texts: readonly string[], separator: string, count: CountTexts) {
  const seams = texts.map((text, index) => {
    const before = index === 0 ? undefined : texts[index - 1]?.slice(-seamCharacters)
    return before === undefined ? undefined : ([before, text.slice(0, seamCharacters)] as const)
  })
  // A catalog has a handful of them, again and again.
  const sides = new Set(seams.flatMap(seam => (seam ? [...seam, seam.join(separator)] : [])))
  const wanted = [...sides]
  const counts = await count(wanted)
  const known = new Map(wanted.map((text, index) => [text, counts[index] ?? 0]))
  return seams.map(seam => {
    if (seam === undefined) return 0
    const of = (text: string) => known.get(text) ?? 0
    return of(seam.join(separator)) - of(seam[0]) - of(seam[1])
  })
}

function bySource(tools: readonly ToolTokens[]): PromptMeasure['sources'] {
  const sums = new Map<string, { tools: number; tokens: number }>()
  for (const { source, tokens } of tools) {
    const sum = sums.get(source) ?? { tools: 0, tokens: 0 }
    sums.set(source, { tools: sum.tools + 1, tokens: sum.tokens + tokens })
  }
  return [...sums].map(([source, sum]) => ({ source, ...sum }))
}

function budgetOf({ frame, tools }: Weights, tokens: number): Budget {
  const howMany = (weights: readonly number[]) => {
    let left = tokens - frame
    const stop = weights.findIndex(weight => {
      left -= weight
      return left < 0
    })
    return stop < 0 ? weights.length : stop
  }
  return { tokens, inOrder: howMany(tools), atMost: howMany(tools.toSorted((a, b) => a - b)) }
}
