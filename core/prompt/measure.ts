/** Measures a prompt: in total, by source, by tool, by field, and against a budget. */
import { finish, type Slices } from '../slices.ts'
import type { Tool } from '../tool/tool.ts'
import { type CountTexts, type FieldTokens, heavyFields } from './fields.ts'
import { type PromptOptions, promptPartsInSteps } from './prompt.ts'
import type { PromptParts } from './prompt-formats.ts'

interface ToolTokens {
  readonly ref: string
  readonly source: string
  /** The tool's name in the prompt. */
  readonly name: string
  readonly tokens: number
}

interface TokenBudget {
  readonly tokens: number
  /** The number of tools that fit, from the first on in the order of the catalog. */
  readonly inOrder: number
  /** The maximum number of tools that fit: the lightest first. */
  readonly atMost: number
}

export interface PromptMeasure {
  /** Tokens of the requested prompt. */
  readonly total: number
  readonly full: number
  readonly compact: number
  /** The share of `full` that `compact` saves, 0 to 1. Negative if the tools are few and small. */
  readonly saved: number
  /** Tokens of the prompt without tools. */
  readonly frame: number
  readonly tools: readonly ToolTokens[]
  readonly sources: readonly { readonly source: string; readonly tools: number; readonly tokens: number }[]
  /** The fields of the full prompt, 20 at most: those with the most tokens over all tools first. */
  readonly fields: readonly FieldTokens[]
  readonly budget?: TokenBudget
}

/**
 * Counts every tool's text once and separately, and adds what the seam with the previous tool changes, counted on the
 * 16 characters of either side. The total is the sum of head, tools and tail, within 1% of the count of the prompt as
 * one text.
 */
export async function measurePrompt(
  tools: readonly Tool[],
  options: PromptOptions,
  count: CountTexts,
  budget?: number,
): Promise<PromptMeasure> {
  return (await weighPrompt(tools, options, count, { budget })).measure
}

/**
 * Does the same as `measurePrompt`, and returns the measured prompt too.
 *
 * @param run does the steps: without a pause by default
 */
export async function weighPrompt(
  tools: readonly Tool[],
  options: PromptOptions,
  countAll: CountTexts,
  { budget, run = finish }: { readonly budget?: number | undefined; readonly run?: RunSteps },
): Promise<{ readonly measure: PromptMeasure; readonly prompt: PromptParts }> {
  const count = inBatches(countAll)
  const full = await run(promptPartsInSteps(tools, { ...options, compact: false }))
  const fullWeights = await weigh(full, count, run)
  const compact = await run(promptPartsInSteps(tools, { ...options, compact: true }))
  const compactWeights = await weigh(compact, count, run)
  const chosen = options.compact ? compact : full
  const weights = options.compact ? compactWeights : fullWeights
  const weighed = chosen.parts.map(({ tool, name }, index) => ({
    ref: tool.ref,
    source: tool.source,
    name,
    tokens: weights.tools[index] ?? 0,
  }))
  const measure = {
    total: weights.total,
    full: fullWeights.total,
    compact: compactWeights.total,
    saved: fullWeights.total === 0 ? 0 : 1 - compactWeights.total / fullWeights.total,
    frame: weights.frame,
    tools: weighed,
    sources: bySource(weighed),
    fields: options.format === 'text' ? [] : await heavyFields(full, fullWeights.tools, count),
    ...(budget === undefined ? {} : { budget: calculateBudget(weights, budget) }),
  }
  return { measure, prompt: chosen }
}

type RunSteps = <Result>(steps: Slices<Result>) => Result | Promise<Result>

/** Maximum texts of one message to the counting thread, because they are copied in one step. */
const maxBatch = 2_000

function inBatches(count: CountTexts): CountTexts {
  return async texts => {
    const counts: number[] = []
    for (let at = 0; at < texts.length; at += maxBatch)
      for (const tokens of await count(texts.slice(at, at + maxBatch))) counts.push(tokens)
    return counts
  }
}

interface Weights {
  readonly frame: number
  readonly tools: readonly number[]
  readonly total: number
}

async function weigh(prompt: PromptParts, count: CountTexts, run: RunSteps): Promise<Weights> {
  const texts = prompt.parts.map(({ text }) => text)
  const [head = 0, tail = 0, ...alone] = await count([prompt.head, prompt.tail, ...texts])
  const joins = await measureSeams(texts, prompt.separator, count, run)
  const tools = alone.map((tokens, index) => tokens + (joins[index] ?? 0))
  const frame = head + tail
  return { frame, tools, total: tools.reduce((sum, tokens) => sum + tokens, frame) }
}

/** Characters on either side of a seam; the tokens that a seam can change are shorter. */
const seamCharacters = 16

/** Returns the token difference of each seam: tokens of the seam minus those of its two sides. Mostly −1, 0 or 1. */
async function measureSeams(
  texts: readonly string[],
  separator: string,
  count: CountTexts,
  run: RunSteps,
): Promise<readonly number[]> {
  // A catalog repeats a few seams.
  const known = await run(seamsOf(texts, separator))
  const wanted = [...known.keys()]
  const counts = await count(wanted)
  for (const [index, text] of wanted.entries()) known.set(text, counts[index] ?? 0)
  return run(weighSeams(texts, separator, known))
}

function* seamsOf(texts: readonly string[], separator: string): Slices<Map<string, number>> {
  const known = new Map<string, number>()
  for (let index = 1; index < texts.length; index++) {
    for (const text of seamAt(texts, index, separator)) known.set(text, 0)
    yield
  }
  return known
}

function* weighSeams(
  texts: readonly string[],
  separator: string,
  known: ReadonlyMap<string, number>,
): Slices<readonly number[]> {
  const joins = [0]
  const of = (text: string) => known.get(text) ?? 0
  for (let index = 1; index < texts.length; index++) {
    const [before, after, both] = seamAt(texts, index, separator)
    joins.push(of(both) - of(before) - of(after))
    yield
  }
  return joins
}

/** Returns the end of the previous text, the beginning of this one, and both with the separator between them. */
function seamAt(texts: readonly string[], index: number, separator: string) {
  const before = (texts[index - 1] ?? '').slice(-seamCharacters)
  const after = (texts[index] ?? '').slice(0, seamCharacters)
  return [before, after, `${before}${separator}${after}`] as const
}

function bySource(tools: readonly ToolTokens[]): PromptMeasure['sources'] {
  const sums = new Map<string, { tools: number; tokens: number }>()
  for (const { source, tokens } of tools) {
    const sum = sums.get(source) ?? { tools: 0, tokens: 0 }
    sums.set(source, { tools: sum.tools + 1, tokens: sum.tokens + tokens })
  }
  return [...sums].map(([source, sum]) => ({ source, ...sum }))
}

function calculateBudget({ frame, tools }: Weights, tokens: number): TokenBudget {
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

const number = new Intl.NumberFormat('en')
const maxListed = 5

/** A measure that was parsed from JSON. */
type Measured = Omit<PromptMeasure, 'budget'> & { readonly budget?: TokenBudget | undefined }

/** Summarises the weight of a prompt in a few lines, for the terminal. */
export function promptSummary(measure: Measured): readonly string[] {
  const { total, full, compact, tools, sources, fields, budget } = measure
  const lines = [
    `${number.format(total)} tokens for ${plural(tools.length, 'tool')} (${encoding.name}: ${encoding.note})`,
    `Full ${number.format(full)} · compact ${number.format(compact)}${compactSaving(measure)}`,
  ]
  if (sources.length > 1)
    lines.push(
      `By source: ${sources.map(each => `${each.source} ${number.format(each.tokens)}`).join(' · ')}`,
    )
  const heaviest = tools.toSorted((a, b) => b.tokens - a.tokens).slice(0, maxListed)
  if (heaviest.length > 1)
    lines.push(
      `Heaviest tools: ${heaviest.map(({ name, tokens }) => `${name} ${number.format(tokens)}`).join(' · ')}`,
    )
  if (fields.length > 0)
    lines.push(`Heaviest fields: ${fields.slice(0, maxListed).map(fieldText).join(' · ')}`)
  if (budget !== undefined) lines.push(budgetLine(measure) ?? '')
  return lines
}

/** Returns `Fits 50 of 213 tools in 10,000 tokens …`; undefined without a budget. */
export function budgetLine({
  budget,
  tools,
}: {
  readonly budget?: TokenBudget | undefined
  readonly tools: { readonly length: number }
}): string | undefined {
  if (budget === undefined) return undefined
  const { tokens, inOrder, atMost } = budget
  const within = `in ${number.format(tokens)} tokens`
  if (inOrder === tools.length) return `All ${plural(tools.length, 'tool')} fit ${within}.`
  const most = atMost > inOrder ? `; at most ${number.format(atMost)}, the lightest first` : ''
  return `Fits ${number.format(inOrder)} of ${plural(tools.length, 'tool')} ${within}, in the order of the catalog${most}.`
}

/** Returns `, 93% less` for compact, or the reason if it costs more than full; empty without tools. */
export function compactSaving({ saved, tools, full, compact }: Measured): string {
  if (tools.length === 0 || full === compact) return ''
  const percent = Math.max(1, Math.round(Math.abs(saved) * 100))
  return compact < full ? `, ${percent}% less` : `, ${percent}% more: the tools are few and small`
}

function fieldText({ name, path, tokens, tools }: PromptMeasure['fields'][number]): string {
  const shortPath = path.replace(/^\/inputSchema\/properties\//, '').replace(/^\//, '')
  return `${name} ${shortPath} ${number.format(tokens)}${tools > 1 ? ` × ${tools} tools` : ''}`
}

const plural = (count: number, one: string) => `${number.format(count)} ${one}${count === 1 ? '' : 's'}`

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
