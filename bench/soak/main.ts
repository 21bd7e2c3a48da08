/**
 * A soak test of the containment engine: `npm run bench -- soak [--count N] [--seed S] [--case I] [--data DIR] [--json]`.
 * Makes pairs of schemas, decides each, tries random and border values against every proof and validates the witness of
 * every refutation; DIR is a folder of manifests whose schemas are changed too. Exit code 1 where an answer is false.
 */
import { parseArgs } from 'node:util'
import { loadCompat } from '../../core/compat/is-subschema.ts'
import { readSources } from '../fuzz/sources.ts'
import { measured } from '../measured.ts'
import { realSchemas } from './make-pair.ts'
import { type Figures, type Finding, soak } from './run.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    case: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const [from, to] =
  values.case === undefined ? [0, Number(values.count)] : [Number(values.case), Number(values.case) + 1]
await loadCompat()
const real = realSchemas(readSources(values.data))
/** Megabytes in use after each tenth of the pairs. */
const memory: number[] = []
const tenth = Math.max(1, Math.floor((to - from) / 10))

function* cases(): Generator<number> {
  for (let index = from; index < to; index++) {
    yield index
    if ((index - from + 1) % tenth === 0) memory.push(Math.round(process.memoryUsage.rss() / 2 ** 20))
  }
}

const { value: report, wall, cpu } = await measured(() => soak(cases(), seed, real))
const again = (index: number) =>
  `npm run bench -- soak --seed ${seed} --case ${index}${values.data === undefined ? '' : ` --data ${values.data}`}`
if (values.json) {
  const seconds = { wall: Math.round(wall / 1_000), processor: Math.round(cpu / 1_000) }
  console.log(JSON.stringify({ seed, seconds, memory, ...report }, undefined, 2))
} else {
  printFindings('False', report.findings)
  printFindings('One validator against the answer and two others', report.disputes.slice(0, 10))
  console.log(row('keyword', undefined))
  const sorted = Object.entries(report.byKeyword).sort(([, a], [, b]) => b.pairs - a.pairs)
  for (const [name, figures] of sorted) console.log(row(name, figures))
  console.log(row('all', report))
  for (const [reason, count] of Object.entries(report.unknownReasons))
    console.log(`unknown ${count}: ${reason}`)
  console.log(
    `${report.attacks} values tried against proofs; ${report.disputed} answers disputed by one validator, ${report.unjudged} witnesses not judged; ${Math.round(cpu / 1_000)} s of processor time, ${Math.round(wall / 1_000)} s in all; MB after each tenth: ${memory.join(' ')}`,
  )
}
process.exitCode = report.false > 0 ? 1 : 0

function row(name: string, figures: Figures | undefined): string {
  const columns = ['pairs', 'proved', 'refuted', 'unknown', 'invalid', 'false'] as const
  return name.padEnd(24) + columns.map(key => String(figures?.[key] ?? key).padStart(9)).join('')
}

function printFindings(title: string, findings: readonly Finding[]): void {
  if (findings.length > 0) console.log(`${title}:`)
  for (const { case: index, verdict, what, value, a, b } of findings) {
    console.log(`  ${again(index)}\n    ${verdict}: ${what} value ${JSON.stringify(value)}`)
    console.log(`    a ${JSON.stringify(a)}\n    b ${JSON.stringify(b)}`)
  }
}
