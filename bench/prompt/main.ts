/**
 * `npm run bench -- prompt --data <folder> [--quick]`: measures the prompts of real tools. Checks that compact saves at
 * least 80% of the tokens if full contains the schemas, that a prompt of 1,000 tools takes at most a second, and that
 * the portability rules accept every tool without an exception.
 */

import { lintClients } from '../../core/lint/lint-finding.ts'
import { lintTools } from '../../core/lint/lint-tools.ts'
import { lintRules } from '../../core/lint/rules.ts'
import { measurePrompt } from '../../core/prompt/measure.ts'
import { promptParts, readablePrompt, wirePrompt } from '../../core/prompt/prompt.ts'
import { type PromptFormat, promptFormats } from '../../core/prompt/prompt-formats.ts'
import { loadTokenCounter, type TokenCounter } from '../../core/prompt/token-counter.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { readCatalog } from '../help/read-catalog.ts'
import { measured, quantile } from '../measured.ts'

const minSaved = 0.8
const maxPromptMs = 1_000

const { data, quick } = readArguments(process.argv.slice(2))
const tools = await readCatalog(data)
console.log(`${tools.length} tools`)
const counter = await loadTokenCounter()
const failures = [...(await savings(counter)), ...(await times()), ...lints()]
for (const failure of failures) console.error(`under its bar: ${failure}`)
process.exit(failures.length > 0 ? 1 : 0)

async function savings({ count }: TokenCounter): Promise<string[]> {
  console.log('\nformat     full       compact    saved   sum / whole')
  const failed: string[] = []
  for (const format of promptFormats) {
    const options = { format, compact: false, set: 'toolscope' }
    const { full, compact, saved } = await measurePrompt(tools, options, async texts => texts.map(count))
    const off = full / inChunks(count, wirePrompt(promptParts(tools, options)))
    const cells = [format.padEnd(10), String(full).padEnd(10), String(compact).padEnd(10)]
    console.log(`${cells.join(' ')} ${(100 * saved).toFixed(1)}%   ${off.toFixed(4)}`)
    // In text, full is the list of flags: it has no schemas to leave out.
    if (format !== 'text' && saved < minSaved) failed.push(`${format} compact saves ${saved}`)
    if (Math.abs(off - 1) > 0.01) failed.push(`${format} is counted ${off} of the whole`)
  }
  return failed
}

/**
 * Counts the whole prompt in parts that end at token boundaries, because the counter estimates texts above its limit.
 */
function inChunks(count: TokenCounter['count'], text: string): number {
  let total = 0
  for (let from = 0; from < text.length; ) {
    const end = from + 150_000 < text.length ? text.lastIndexOf(' ', from + 150_000) : text.length
    const to = end <= from ? Math.min(text.length, from + 150_000) : end
    total += count(text.slice(from, to))
    from = to
  }
  return total
}

async function times(): Promise<string[]> {
  const some = tools.slice(0, 1_000)
  console.log(`\nprompt of ${some.length} tools   wall ms   CPU ms   (median of ${quick ? 3 : 7})`)
  const failed: string[] = []
  for (const format of promptFormats) {
    const runs = []
    for (let run = 0; run < (quick ? 3 : 7); run++) {
      // A new counter, which has cached nothing from the previous run.
      const { count } = await loadTokenCounter()
      runs.push(await measured(() => compute(some, format, count)))
    }
    const wall = quantile(
      runs.map(run => run.wall),
      0.5,
    )
    const cpu = quantile(
      runs.map(run => run.cpu),
      0.5,
    )
    console.log(`${format.padEnd(22)} ${wall.toFixed(0).padEnd(9)} ${cpu.toFixed(0)}`)
    if (cpu > maxPromptMs) failed.push(`${format}: ${cpu.toFixed(0)} ms of CPU time`)
  }
  return failed
}

/**
 * Computes a prompt: the text itself, and the tokens of each tool. The bar is on processor time, which a busy machine
 * does not change.
 */
async function compute(some: readonly Tool[], format: PromptFormat, count: TokenCounter['count']) {
  const parts = promptParts(some, { format, compact: false, set: 'toolscope' })
  const text = readablePrompt(parts)
  const tokens = parts.parts.reduce((sum, part) => sum + count(part.text), 0)
  return { text, tokens }
}

function lints(): string[] {
  const start = performance.now()
  const findings = lintTools(tools, lintClients)
  console.log(`\n${findings.length} findings in ${(performance.now() - start).toFixed(0)} ms`)
  for (const { id, severity } of lintRules) {
    const found = findings.filter(finding => finding.rule === id)
    const inTools = new Set(found.map(finding => finding.ref)).size
    console.log(
      `${severity.padEnd(8)} ${id.padEnd(28)} ${String(found.length).padStart(6)} in ${inTools} tools`,
    )
  }
  return findings.some(({ message, path }) => message === '' || path === undefined)
    ? ['a finding says nothing']
    : []
}

function readArguments(words: readonly string[]): { data: string; quick: boolean } {
  const at = words.indexOf('--data')
  const path = at < 0 ? undefined : words[at + 1]
  if (path === undefined) {
    console.error('Name the folder of manifests: npm run bench -- prompt --data <folder>')
    process.exit(2)
  }
  return { data: path, quick: words.includes('--quick') }
}
