/**
 * A soak test of the containment engine:
 * `npm run bench -- soak [--count N] [--seed S] [--case I] [--data DIR] [--json]`. Makes pairs of schemas, decides
 * each, tries random and border values against every proof and validates the witness of every refutation. DIR is a
 * folder of manifests whose schemas are changed too. Exit code 1 if an answer is false.
 */

import { parseArgs } from 'node:util'
import { isSubschema, loadCompat, type SubschemaVerdict } from '../../core/compat/is-subschema.ts'
import { createReferenceCheck } from '../../core/compat/testing/validates.ts'
import { isObject } from '../../core/json/json.ts'
import { keywords } from '../../core/schema/keywords.ts'
import { allSchemas } from '../../core/schema/walk-schema.ts'
import { pseudoRandom } from '../../core/validation/random.ts'
import { ajvJudge, cfworkerJudge, type Judge, type Judgement, onceMade } from '../compat/validators.ts'
import { readSources } from '../fuzz/run-fuzz.ts'
import { measured } from '../measured.ts'
import { attackValues, makePair, realSchemas, type SoakPair } from './make-pair.ts'

export interface Finding extends SoakPair {
  readonly case: number
  readonly verdict: SubschemaVerdict['verdict'] | 'threw'
  readonly what: string
  readonly value?: unknown
}

export interface Figures {
  pairs: number
  proved: number
  refuted: number
  unknown: number
  invalid: number
  /** A value refutes the proof, or a witness is invalid, according to two of three validators. */
  false: number
}

export interface SoakReport extends Figures {
  /** Values that were tried against proofs. */
  attacks: number
  /** One validator disagrees with the answer and two others: each has faults of its own. */
  disputed: number
  /** Witnesses that only one validator can judge. */
  unjudged: number
  readonly byKeyword: Readonly<Record<string, Figures>>
  readonly unknownReasons: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  readonly disputes: readonly Finding[]
}

const noFigures = (): Figures => ({ pairs: 0, proved: 0, refuted: 0, unknown: 0, invalid: 0, false: 0 })
const maxKept = 100

/**
 * The result is the same for the same seed, cases and real schemas.
 *
 * @param cases numbers of the pairs
 * @param begin called before each pair; a pair that hangs is the last one
 */
export function soak(
  cases: Iterable<number>,
  seed: number,
  real: readonly unknown[],
  begin: (index: number) => void = () => {},
): SoakReport {
  const byKeyword: Record<string, Figures> = {}
  const unknownReasons: Record<string, number> = {}
  const findings: Finding[] = []
  const disputes: Finding[] = []
  const total = noFigures()
  let attacks = 0
  let disputed = 0
  let unjudged = 0
  for (const index of cases) {
    begin(index)
    const number = (seed * 1_000_003 + index) | 0
    const pair = makePair(number, real)
    const counted = [total, ...keywordsIn(pair).map(name => (byKeyword[name] ??= noFigures()))]
    const count = (key: keyof Figures) => {
      for (const figures of counted) figures[key] += 1
    }
    const find = (verdict: Finding['verdict'], what: string, value?: unknown) => {
      count('false')
      if (findings.length < maxKept) findings.push({ case: index, verdict, what, value, ...pair })
    }
    const dispute = (verdict: Finding['verdict'], what: string, value: unknown) => {
      disputed += 1
      if (disputes.length < maxKept) disputes.push({ case: index, verdict, what, value, ...pair })
    }
    count('pairs')
    try {
      const answer = isSubschema(pair.a, pair.b)
      count(answer.verdict)
      if (answer.verdict === 'unknown') {
        const reason = answer.reason.replace(/\d[\d,]*|\/\S*|".*"/g, '…')
        unknownReasons[reason] = (unknownReasons[reason] ?? 0) + 1
      }
      if (answer.verdict === 'refuted') {
        const said = judge(pair)(answer.witness)
        if (said.for < 2 && said.against > 0) find('refuted', said.words, answer.witness)
        else if (said.for < 2) unjudged += 1
        else if (said.against > 0) dispute('refuted', said.words, answer.witness)
      }
      if (answer.verdict === 'proved') {
        const ask = judge(pair)
        for (const value of attackValues(pair, number, pseudoRandom(~number))) {
          attacks += 1
          const said = ask(value)
          if (said.for === 0) continue
          if (said.for > 1) find('proved', said.words, value)
          else dispute('proved', said.words, value)
          break
        }
      }
    } catch (thrown) {
      find(
        'threw',
        thrown instanceof Error ? (thrown.stack?.split('\n').slice(0, 4).join(' | ') ?? '') : String(thrown),
      )
    }
  }
  return { ...total, attacks, disputed, unjudged, byKeyword, unknownReasons, findings, disputes }
}

type Say = readonly [inA: Judgement, inB: Judgement]

/**
 * Returns the verdict of two of three validators on a value: cfworker and the program's own. Ajv, the slowest, is used
 * only if the two differ or cannot decide.
 */
function judge({ a, b }: SoakPair): (value: unknown) => { for: number; against: number; words: string } {
  const validators = [cfworkerJudge, ownJudge, ajvJudge].map(judgeOf => [judgeOf(a), judgeOf(b)] as const)
  const refutes = ([inA, inB]: Say) => inA === true && inB === false
  const speaks = ([inA, inB]: Say) => inA === false || inB === true || refutes([inA, inB])
  return value => {
    const says: Say[] = []
    for (const [inA, inB] of validators) {
      if (says.length === 2 && says.every(speaks) && says.filter(refutes).length !== 1) break
      const first = inA(value)
      // A value that the first schema refuses says nothing about containment.
      says.push([first, first === false ? undefined : inB(value)])
    }
    return {
      for: says.filter(refutes).length,
      against: says.filter(say => speaks(say) && !refutes(say)).length,
      words: `cfworker, our own, Ajv say of a and b: ${says.map(say => say.join()).join('; ')}`,
    }
  }
}

function ownJudge(schema: unknown): Judge {
  return onceMade(() => createReferenceCheck(schema))
}

function keywordsIn({ a, b }: SoakPair): string[] {
  const found = new Set<string>()
  for (const schema of [a, b])
    if (isObject(schema))
      for (const visited of allSchemas(schema, 2_000))
        for (const name of Object.keys(visited.schema)) if (keywords.has(name)) found.add(name)
  return [...found]
}

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
