/** Asks the engine about each pair, checks what it answers, and measures. */

import { isSubschema, type Verdict } from '../../core/compat/is-subschema.ts'
import { quantile } from '../measured.ts'
import { falsify } from './falsify.ts'
import type { Pair } from './pairs.ts'
import { ajvJudge, cfworkerJudge, type Judge } from './validators.ts'

export interface Finding {
  readonly id: string
  readonly verdict: Verdict['verdict']
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
  /** Proved although a value refutes it: one that the file knows, or one that a plain search finds. */
  readonly falseProved: number
  /** Refuted with a value that neither independent validator confirms. */
  readonly refutedWithoutWitness: number
  /** Decided against the label, in either direction: each is listed with what shows who is right. */
  readonly wrong: number
  readonly provedAgainstLabel: number
  readonly refutedAgainstLabel: number
  /** Refuted with a value on which the two validators disagree. The engine's own validator sides with one of them. */
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
  private readonly verdicts: Verdict['verdict'][] = []
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
    const count = (verdict: Verdict['verdict']) => verdicts.filter(one => one === verdict).length
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

function describe(pair: Pair, answer: Verdict): Finding {
  return {
    id: pair.id,
    verdict: answer.verdict,
    ...(pair.expected === undefined ? {} : { expected: pair.expected }),
    ...('witness' in answer ? { witness: answer.witness } : {}),
    ...('reason' in answer ? { reason: `${answer.path} ${answer.reason}`.trim() } : {}),
  }
}

/** How many of two validators find the value valid for the first schema and not for the second, and what others say. */
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
