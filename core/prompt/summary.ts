/** Summarises the weight of a prompt in a few lines, for the terminal. */

import { encoding } from './encoding.ts'
import type { PromptMeasure, TokenBudget } from './measure.ts'

const number = new Intl.NumberFormat('en')
const maxListed = 5

/** A measure that was parsed from JSON. */
type Measured = Omit<PromptMeasure, 'budget'> & { readonly budget?: TokenBudget | undefined }

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
