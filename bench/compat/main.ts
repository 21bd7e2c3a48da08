/**
 * `npm run bench -- compat --data FILE [--json]`: how many pairs of a file the containment engine decides, and how
 * fast.
 */

import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isLosslessNumber, parse, stringify } from 'lossless-json'
import { isSubschema, loadCompat, type SubschemaVerdict } from '../../core/compat/is-subschema.ts'
import { quantile } from '../measured.ts'
import { ajvJudge, cfworkerJudge, falsify, type Judge } from './validators.ts'

export interface Pair {
  readonly id: string
  readonly s1: unknown
  readonly s2: unknown
  /** The label, if there is one. It may be wrong. */
  readonly expected: boolean | undefined
  /** A value that is supposed to be valid for `s1` and invalid for `s2`. */
  readonly knownWitness: unknown
}

/** Reads the pairs. Numbers that a double cannot represent stay exact. @throws if the file is not a list of pairs */
export function readPairs(text: string): Pair[] {
  const data = parse(text, undefined, source => {
    const number = Number(source)
    return isExact(number, source) ? number : lossless(source)
  })
  const list: unknown = Array.isArray(data) ? data : (data as { pairs?: unknown } | null)?.pairs
  if (!Array.isArray(list)) throw new Error('expected a list of pairs {id, s1, s2, expected?}')
  return list.map((entry: { [key: string]: unknown }, index) => {
    if (!entry || !('s1' in entry) || !('s2' in entry)) throw new Error(`entry ${index} has no s1 and s2`)
    return {
      id: typeof entry.id === 'string' ? entry.id : `#${index}`,
      s1: entry.s1,
      s2: entry.s2,
      expected: typeof entry.expected === 'boolean' ? entry.expected : undefined,
      // A `witness` of null means that none is known.
      knownWitness: entry.witness ?? undefined,
    }
  })
}

/** A long number that a double rounds would not be written back the same. */
function isExact(number: number, source: string): boolean {
  if (!Number.isFinite(number)) return false
  return /[.eE]/.test(source) || source.replace(/\D/g, '').length < 16 || BigInt(source) === BigInt(number)
}

function lossless(source: string): unknown {
  const value = parse(`[${source}]`) as unknown[]
  return isLosslessNumber(value[0]) ? value[0] : Number(source)
}

export interface Finding {
  readonly id: string
  readonly verdict: SubschemaVerdict['verdict']
  readonly expected?: boolean
  readonly witness?: unknown
  readonly reason?: string
  readonly note?: string
}

export interface Report {
  readonly pairs: number
  readonly labelled: number
  readonly proved: number
  readonly refuted: number
  readonly unknown: number
  readonly invalid: number
  /** Proved although a value refutes it: one from the file, or one found by a plain search. */
  readonly falseProved: number
  /** Refuted with a value that neither independent validator confirms. */
  readonly refutedWithoutWitness: number
  /** Decided against the label, in either direction: each is listed with evidence. */
  readonly wrong: number
  readonly provedAgainstLabel: number
  readonly refutedAgainstLabel: number
  /** Refuted with a value on which the two validators disagree. The engine's own validator agrees with one of them. */
  readonly disputed: number
  readonly decidedCorrectly: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
  readonly slowest: string
  readonly wrongPairs: readonly Finding[]
  readonly unconfirmed: readonly Finding[]
  readonly disputedPairs: readonly Finding[]
  readonly unknownPairs: readonly Finding[]
  readonly invalidPairs: readonly Finding[]
}

export function runPairs(pairs: readonly Pair[]): Report {
  const run = new Run()
  for (const pair of pairs) run.add(pair)
  return run.report()
}

class Run {
  private readonly verdicts: SubschemaVerdict['verdict'][] = []
  private readonly times: { id: string; milliseconds: number }[] = []
  private readonly wrong: Finding[] = []
  private readonly unconfirmed: Finding[] = []
  private readonly disputed: Finding[] = []
  private readonly unknown: Finding[] = []
  private readonly invalid: Finding[] = []
  private labelled = 0
  private falseProved = 0
  private decidedCorrectly = 0

  add(pair: Pair): void {
    const start = performance.now()
    const answer = isSubschema(pair.s1, pair.s2)
    this.times.push({ id: pair.id, milliseconds: performance.now() - start })
    this.verdicts.push(answer.verdict)
    if (pair.expected !== undefined) this.labelled += 1
    const finding = describe(pair, answer)
    if (answer.verdict === 'unknown') this.unknown.push(finding)
    if (answer.verdict === 'invalid') this.invalid.push(finding)
    if (answer.verdict === 'refuted') this.addRefuted(pair, finding, answer.witness)
    if (answer.verdict === 'proved') this.addProved(pair, finding)
  }

  private addRefuted(pair: Pair, finding: Finding, witness: unknown): void {
    const { confirmed, doubts } = confirm(pair)(witness)
    const judged = doubts === '' ? finding : { ...finding, note: doubts }
    if (confirmed === 0) this.unconfirmed.push(judged)
    else if (doubts !== '') this.disputed.push(judged)
    if (pair.expected === true)
      this.wrong.push({ ...finding, note: `${confirmed} of 2 validators confirm the witness` })
    if (pair.expected === false) this.decidedCorrectly += 1
  }

  private addProved(pair: Pair, finding: Finding): void {
    if (pair.expected === true) this.decidedCorrectly += 1
    const ask = confirm(pair)
    const refutes = (value: unknown) => ask(value).confirmed > 0
    const known = pair.knownWitness !== undefined && refutes(pair.knownWitness)
    if (pair.expected !== false && !known) return
    const value = known ? pair.knownWitness : falsify([pair.s1, pair.s2], refutes)
    if (value !== undefined) this.falseProved += 1
    const note =
      value === undefined ? 'a plain search finds no value against the proof' : 'this value refutes the proof'
    this.wrong.push({ ...finding, note, ...(value === undefined ? {} : { witness: value }) })
  }

  report(): Report {
    const { times, verdicts } = this
    const slowest = times.toSorted((a, b) => b.milliseconds - a.milliseconds)[0]
    const count = (verdict: SubschemaVerdict['verdict']) => verdicts.filter(one => one === verdict).length
    const at = (share: number) =>
      round(
        quantile(
          times.map(({ milliseconds }) => milliseconds),
          share,
        ),
      )
    return {
      pairs: verdicts.length,
      labelled: this.labelled,
      proved: count('proved'),
      refuted: count('refuted'),
      unknown: count('unknown'),
      invalid: count('invalid'),
      falseProved: this.falseProved,
      refutedWithoutWitness: this.unconfirmed.length,
      wrong: this.wrong.length,
      provedAgainstLabel: this.wrong.filter(({ verdict }) => verdict === 'proved').length,
      refutedAgainstLabel: this.wrong.filter(({ verdict }) => verdict === 'refuted').length,
      disputed: this.disputed.length,
      decidedCorrectly: this.decidedCorrectly,
      p50Ms: at(0.5),
      p95Ms: at(0.95),
      maxMs: at(1),
      slowest: slowest?.id ?? '',
      wrongPairs: this.wrong,
      unconfirmed: this.unconfirmed,
      disputedPairs: this.disputed,
      unknownPairs: this.unknown,
      invalidPairs: this.invalid,
    }
  }
}

const round = (milliseconds: number) => Math.round(milliseconds * 100) / 100

function describe(pair: Pair, answer: SubschemaVerdict): Finding {
  return {
    id: pair.id,
    verdict: answer.verdict,
    ...(pair.expected === undefined ? {} : { expected: pair.expected }),
    ...('witness' in answer ? { witness: answer.witness } : {}),
    ...('reason' in answer ? { reason: `${answer.path} ${answer.reason}`.trim() } : {}),
  }
}

/**
 * Returns a function that counts how many of two validators accept a value for the first schema and refuse it for the
 * second, and lists the doubts of others.
 */
function confirm(pair: Pair): (value: unknown) => { confirmed: number; doubts: string } {
  const judges: [string, Judge, Judge][] = [
    ['ajv', ajvJudge(pair.s1), ajvJudge(pair.s2)],
    ['cfworker', cfworkerJudge(pair.s1), cfworkerJudge(pair.s2)],
  ]
  return value => {
    const doubts = judges.flatMap(([name, inFirst, inSecond]) => {
      const [first, second] = [inFirst(value), inSecond(value)]
      return first === true && second === false ? [] : [`${name} says s1 ${first}, s2 ${second}`]
    })
    return { confirmed: judges.length - doubts.length, doubts: doubts.join('; ') }
  }
}

/** Returns the missed bars as sentences; empty if there are none. */
export function barFailures(report: Report): string[] {
  const decided = report.labelled === 0 ? 1 : report.decidedCorrectly / report.labelled
  const allowedUnknown = report.labelled > 0 ? 0.03 : 0.01
  const unknownShare = report.unknown / Math.max(1, report.pairs)
  const rules: [boolean, string][] = [
    [report.pairs > 0, 'there are no pairs'],
    [report.falseProved === 0, `falseProved is ${report.falseProved}, must be 0`],
    [
      report.refutedWithoutWitness === 0,
      `refutedWithoutWitness is ${report.refutedWithoutWitness}, must be 0`,
    ],
    [decided >= 0.97, `${percent(decided)} of the labelled pairs are decided correctly, must be 97%`],
    [
      unknownShare <= allowedUnknown,
      `${percent(unknownShare)} are unknown, may be ${percent(allowedUnknown)}`,
    ],
    [report.p95Ms <= 50, `p95 is ${report.p95Ms} ms, may be 50`],
    [report.maxMs <= 500, `the slowest pair took ${report.maxMs} ms, may be 500`],
  ]
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

export function printTable(report: Report, failures: readonly string[]): void {
  for (const [name, value] of Object.entries(report))
    if (!Array.isArray(value)) console.log(`${name.padEnd(24)}${value}`)
  printFindings('Against their label', report.wrongPairs)
  printFindings('Witness confirmed by neither validator', report.unconfirmed)
  printFindings('Witness on which the validators disagree', report.disputedPairs)
  printFindings('Unknown', report.unknownPairs)
  printFindings('Not a schema of its dialect', report.invalidPairs)
  console.log(failures.length === 0 ? '\nThe bar is reached.' : `\nBelow the bar: ${failures.join('; ')}`)
}

function printFindings(title: string, findings: readonly Finding[]): void {
  if (findings.length === 0) return
  console.log(`\n${title} (${findings.length})`)
  for (const { id, verdict, expected, witness, reason, note } of findings) {
    const parts = [
      `  ${id}: ${verdict}`,
      expected === undefined ? '' : `label ${expected}`,
      witness === undefined ? '' : `witness ${stringify(witness)?.slice(0, 300)}`,
      reason ?? '',
      note ?? '',
    ]
    console.log(parts.filter(part => part !== '').join(' · '))
  }
}

const { values } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
})
if (!values.data) {
  console.error('Usage: npm run bench -- compat --data FILE [--json]')
  process.exit(2)
}
await loadCompat()
const pairs = readPairs(await readFile(values.data, 'utf8'))
const report = runPairs(pairs)
const failures = barFailures(report)
if (values.json) console.log(JSON.stringify({ ...report, failures }, undefined, 2))
else printTable(report, failures)
process.exitCode = failures.length > 0 ? 1 : 0
