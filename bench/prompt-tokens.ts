/**
 * `npm run bench -- prompt --data DIR [--quick] [--json]`: measures the prompts of real tools. Compact must save 80% of
 * the tokens if full contains the schemas, a prompt of 1,000 tools may take a second of processor time, and the
 * portability rules must accept every tool without an exception.
 */
import { lintClients } from '../core/lint/lint-finding.ts'
import { lintTools } from '../core/lint/lint-tools.ts'
import { lintRules } from '../core/lint/rules.ts'
import { measurePrompt } from '../core/prompt/measure.ts'
import { promptParts, readablePrompt, wirePrompt } from '../core/prompt/prompt.ts'
import { type PromptFormat, promptFormats } from '../core/prompt/prompt-formats.ts'
import { loadTokenCounter, type TokenCounter } from '../core/prompt/token-counter.ts'
import { measured, printReport, quantile, readOptions } from './harness.mjs'
import { readCatalog } from './manifests.ts'

const { data, quick, json } = readOptions({ data: null, quick: false, json: false })
const tools = readCatalog(data)
const some = tools.slice(0, 1_000)
const formats = []
for (const format of promptFormats)
  formats.push({ format, ...(await measureTokens(format)), ...(await measureTimes(format)) })
const findings = lintTools(tools, lintClients)
const rules = lintRules.map(({ id, severity }) => {
  const found = findings.filter(({ rule }) => rule === id)
  return { id, severity, findings: found.length, tools: new Set(found.map(({ ref }) => ref)).size }
})
const bars = formats.flatMap(({ format, saved, sumByWhole, cpuMs }) => [
  // In text, full is the list of flags: it has no schemas to leave out.
  { name: `${format}: share that compact saves`, value: saved, min: format === 'text' ? 0 : 0.8 },
  { name: `${format}: difference of the parts from the whole`, value: Math.abs(sumByWhole - 1), max: 0.01 },
  { name: `${format}: processor time`, value: cpuMs, max: 1_000 },
])
const silent = findings.filter(({ message, path }) => message === '' || path === undefined)
printReport({
  json,
  tables: { [`prompts of ${tools.length} tools; times of ${some.length}`]: formats, lint: rules },
  bars: [...bars, { name: 'findings that say nothing', value: silent.length, max: 0 }],
})

async function measureTokens(format: PromptFormat) {
  const options = { format, compact: false, set: 'toolscope' }
  const { count } = await loadTokenCounter()
  const { full, compact, saved } = await measurePrompt(tools, options, async texts => texts.map(count))
  const whole = countInChunks(count, wirePrompt(promptParts(tools, options)))
  return { full, compact, saved, sumByWhole: full / whole }
}

/** Counts the whole prompt in parts that end at token boundaries, because the counter estimates longer texts. */
function countInChunks(count: TokenCounter['count'], text: string): number {
  let total = 0
  for (let from = 0; from < text.length; ) {
    const end = from + 150_000 < text.length ? text.lastIndexOf(' ', from + 150_000) : text.length
    const to = end <= from ? Math.min(text.length, from + 150_000) : end
    total += count(text.slice(from, to))
    from = to
  }
  return total
}

/** Measures the medians for the text itself and the tokens of each tool. */
async function measureTimes(format: PromptFormat) {
  const runs: { wall: number; cpu: number }[] = []
  for (let run = 0; run < (quick ? 3 : 7); run++) {
    // A new counter, which has cached nothing from the previous run.
    const { count } = await loadTokenCounter()
    runs.push(
      await measured(() => {
        const parts = promptParts(some, { format, compact: false, set: 'toolscope' })
        readablePrompt(parts)
        for (const { text } of parts.parts) count(text)
      }),
    )
  }
  const median = (key: 'wall' | 'cpu') =>
    quantile(
      runs.map(run => run[key]),
      0.5,
    )
  return { wallMs: median('wall'), cpuMs: median('cpu') }
}
