/** Asks the engine about each pair, checks what it answers, and measures. */
import { isSubschema, type Verdict } from '../../core/compat/is-subschema.ts'
import type { Pair } from './pairs.ts'
import { ajvSays, cfworkerSays, type Judgement } from './validators.ts'

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
  /** Proved although a value is known that refutes it, or against its label. */
  readonly falseProved: number
  /** Refuted with a value that one of the two validators does not confirm. */
  readonly refutedWithoutWitness: number
  /** Decided against the label, in either direction. */
  readonly wrong: number
  readonly decidedCorrectly: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly maxMs: number
  readonly slowest: string
  readonly wrongPairs: readonly Finding[]
  readonly unconfirmed: readonly Finding[]
  readonly unknownPairs: readonly Finding[]
  readonly invalidPairs: readonly Finding[]
}

export function runPairs(pairs: readonly Pair[]): Report {
  const verdicts = new Map<Verdict['verdict'], number>()
  const times: { id: string; milliseconds: number }[] = []
  const wrongPairs: Finding[] = []
  const unconfirmed: Finding[] = []
  const unknownPairs: Finding[] = []
  const invalidPairs: Finding[] = []
  let falseProved = 0
  let decidedCorrectly = 0
  for (const pair of pairs) {
    const start = performance.now()
    const answer = isSubschema(pair.s1, pair.s2)
    times.push({ id: pair.id, milliseconds: performance.now() - start })
    verdicts.set(answer.verdict, (verdicts.get(answer.verdict) ?? 0) + 1)
    const finding = describe(pair, answer)
    if (answer.verdict === 'unknown') unknownPairs.push(finding)
    if (answer.verdict === 'invalid') invalidPairs.push(finding)
    if (answer.verdict === 'refuted') {
      const confirmed = confirm(pair, answer.witness)
      if (confirmed !== 'yes') unconfirmed.push({ ...finding, note: confirmed })
      if (pair.expected === true) wrongPairs.push({ ...finding, note: `witness confirmed: ${confirmed}` })
      if (pair.expected === false) decidedCorrectly += 1
    }
    if (answer.verdict === 'proved') {
      const refutedByKnown =
        pair.knownWitness !== undefined && confirm(pair, pair.knownWitness) === 'yes'
      if (pair.expected === false || refutedByKnown) {
        falseProved += 1
        wrongPairs.push({ ...finding, witness: pair.knownWitness })
      } else if (pair.expected === true) decidedCorrectly += 1
    }
  }
  times.sort((a, b) => a.milliseconds - b.milliseconds)
  const at = (share: number) => round(times[Math.min(times.length - 1, Math.floor(times.length * share))]?.milliseconds)
  return {
    pairs: pairs.length,
    labelled: pairs.filter(({ expected }) => expected !== undefined).length,
    proved: verdicts.get('proved') ?? 0,
    refuted: verdicts.get('refuted') ?? 0,
    unknown: verdicts.get('unknown') ?? 0,
    invalid: verdicts.get('invalid') ?? 0,
    falseProved,
    refutedWithoutWitness: unconfirmed.length,
    wrong: wrongPairs.length,
    decidedCorrectly,
    p50Ms: at(0.5),
    p95Ms: at(0.95),
    maxMs: round(times.at(-1)?.milliseconds),
    slowest: times.at(-1)?.id ?? '',
    wrongPairs,
    unconfirmed,
    unknownPairs,
    invalidPairs,
  }
}

function round(milliseconds: number | undefined): number {
  return Math.round((milliseconds ?? 0) * 100) / 100
}

function describe(pair: Pair, answer: Verdict): Finding {
  return {
    id: pair.id,
    verdict: answer.verdict,
    ...(pair.expected === undefined ? {} : { expected: pair.expected }),
    ...('witness' in answer ? { witness: answer.witness } : {}),
    ...('reason' in answer ? { reason: `${answer.path} ${answer.reason}`.trim() } : {}),
  }
}

/** `yes` when both validators find the value valid for the first schema and not for the second. */
function confirm(pair: Pair, witness: unknown): string {
  const says = (name: string, ask: (schema: unknown, value: unknown) => Judgement) => {
    const first = ask(pair.s1, witness)
    const second = ask(pair.s2, witness)
    return first === true && second === false ? [] : [`${name}: s1 ${first}, s2 ${second}`]
  }
  const doubts = [...says('ajv', ajvSays), ...says('cfworker', cfworkerSays)]
  return doubts.length === 0 ? 'yes' : doubts.join('; ')
}
