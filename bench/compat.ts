/**
 * `npm run bench -- compat --data FILE [--json]`: how many pairs `{id, s1, s2, expected?, witness?}` of a file the
 * containment engine decides, and how fast. Each answer is checked with two other validators.
 */
import { readFile } from 'node:fs/promises'
import { isLosslessNumber, parse, stringify } from 'lossless-json'
import { isSubschema, loadCompat, type SubschemaVerdict } from '../core/compat/is-subschema.ts'
import {
  collectValues,
  createAjvCheck,
  createCfworkerCheck,
} from '../core/compat/testing/independent-checks.ts'
import { printReport, quantile, readOptions } from './harness.mjs'

interface Pair {
  readonly id?: unknown
  readonly s1: unknown
  readonly s2: unknown
  /** The label, if it is a boolean. It may be wrong. */
  readonly expected?: unknown
  /** A value that is supposed to be valid for `s1` and invalid for `s2`; null if none is known. */
  readonly witness?: unknown
}

interface Finding {
  readonly id: string
  readonly verdict: SubschemaVerdict['verdict']
  readonly expected?: unknown
  readonly witness?: unknown
  readonly notes: readonly string[]
}

/** Reads the pairs. Numbers that a double cannot represent stay exact. @throws if the file is not a list of pairs */
function readPairs(text: string): Pair[] {
  const data = parse(text, undefined, source => {
    const number = Number(source)
    return isExact(number, source) ? number : readLossless(source)
  })
  const list: unknown = Array.isArray(data) ? data : (data as { pairs?: unknown } | null)?.pairs
  if (!Array.isArray(list)) throw new Error('expected a list of pairs {id, s1, s2, expected?}')
  const broken = list.findIndex(entry => !entry || !('s1' in entry) || !('s2' in entry))
  if (broken >= 0) throw new Error(`entry ${broken} has no s1 and s2`)
  return list
}

/** A long number that a double rounds would not be written back the same. */
function isExact(number: number, source: string): boolean {
  if (!Number.isFinite(number)) return false
  return /[.eE]/.test(source) || source.replace(/\D/g, '').length < 16 || BigInt(source) === BigInt(number)
}

function readLossless(source: string): unknown {
  const [value] = parse(`[${source}]`) as unknown[]
  return isLosslessNumber(value) ? value : Number(source)
}

/** Returns the doubts of the two validators that a value is in the first schema and not in the second. */
function createConfirmation({ s1, s2 }: Pair): (value: unknown) => string[] {
  const judges = [
    ['Ajv', createAjvCheck(s1), createAjvCheck(s2)],
    ['cfworker', createCfworkerCheck(s1), createCfworkerCheck(s2)],
  ] as const
  return value =>
    judges.flatMap(([name, inFirst, inSecond]) => {
      const [first, second] = [inFirst(value), inSecond(value)]
      return first === true && second === false ? [] : [`${name} says s1 ${first}, s2 ${second}`]
    })
}

const scalars = [null, true, false, 0, 1, -1, 0.5, 1e6, '', 'a', 'x', '\n', 'ab', '0', '\u0003']
const maxTries = 3_000

/** Searches for a value that refutes a proof, independently of the engine. */
function falsify(pair: Pair, isRefuting: (value: unknown) => boolean): unknown {
  const names = new Set<string>(['x', 'extra', '\u0003'])
  const values: unknown[] = [...scalars]
  for (const schema of [pair.s1, pair.s2]) collectValues(schema, names, values)
  let tries = 0
  for (const candidate of listCandidates([...names].slice(0, 12), values.slice(0, 60)))
    if (++tries > maxTries) return undefined
    else if (isRefuting(candidate)) return candidate
  return undefined
}

function* listCandidates(names: readonly string[], values: readonly unknown[]): Generator<unknown> {
  yield* values
  yield []
  yield {}
  for (const value of values) yield [value]
  for (const name of names) for (const value of values) yield { [name]: value }
  for (const value of values) {
    yield [value, value]
    yield Object.fromEntries(names.map(name => [name, value]))
  }
  for (const first of values) for (const second of values) yield [first, second]
  for (const [index, first] of names.entries())
    for (const second of names.slice(index + 1))
      for (const value of values) for (const other of values) yield { [first]: value, [second]: other }
}

const { data, json } = readOptions({ data: null, json: false })
await loadCompat()
const pairs = readPairs(await readFile(data, 'utf8'))
const verdicts: string[] = []
/** Milliseconds of processor time. */
const times: number[] = []
/** Against their label, or refuted by a value although they were proved: labels may be wrong, so each is listed. */
const wrong: Finding[] = []
/** Refuted with a value that neither validator confirms. */
const unconfirmed: Finding[] = []
/** Refuted with a value on which the two validators disagree. The engine's own validator agrees with one of them. */
const disputed: Finding[] = []
const undecided: Finding[] = []
let [labelled, decidedCorrectly, falseProved] = [0, 0, 0]
for (const [index, pair] of pairs.entries()) {
  const start = process.cpuUsage()
  const answer = isSubschema(pair.s1, pair.s2)
  const { user, system } = process.cpuUsage(start)
  times.push((user + system) / 1_000)
  verdicts.push(answer.verdict)
  const isLabelled = typeof pair.expected === 'boolean'
  const id = typeof pair.id === 'string' ? pair.id : `#${index}`
  const describe = (notes: readonly string[], witness?: unknown): Finding => ({
    id,
    verdict: answer.verdict,
    ...(isLabelled ? { expected: pair.expected } : {}),
    ...(witness === undefined ? {} : { witness }),
    notes,
  })
  const isCorrect = answer.verdict === (pair.expected ? 'proved' : 'refuted')
  if (isLabelled) labelled += 1
  if (isLabelled && isCorrect) decidedCorrectly += 1
  const confirm = createConfirmation(pair)
  if ('reason' in answer) undecided.push(describe([`${answer.path} ${answer.reason}`.trim()]))
  else if (answer.verdict === 'refuted') {
    const doubts = confirm(answer.witness)
    const finding = describe(doubts, answer.witness)
    if (doubts.length === 2) unconfirmed.push(finding)
    else if (doubts.length === 1) disputed.push(finding)
    if (pair.expected === true) wrong.push(finding)
  } else {
    const refutes = (value: unknown) => confirm(value).length < 2
    const isKnown = pair.witness != null && refutes(pair.witness)
    if (pair.expected !== false && !isKnown) continue
    const value = isKnown ? pair.witness : falsify(pair, refutes)
    if (value !== undefined) falseProved += 1
    wrong.push(
      describe([value === undefined ? 'a plain search finds no value against it' : 'refuted'], value),
    )
  }
}
const count = (verdict: string) => verdicts.filter(one => one === verdict).length
const milliseconds = { p50: quantile(times, 0.5), p95: quantile(times, 0.95), most: quantile(times, 1) }
const slowest = pairs[times.indexOf(milliseconds.most)]?.id
const findings = {
  'against their label': wrong,
  'witness confirmed by neither validator': unconfirmed,
  'witness on which the validators disagree': disputed,
  'unknown, or not a schema of its dialect': undecided,
}
printReport({
  json,
  tables: {
    pairs: {
      pairs: pairs.length,
      labelled,
      decidedCorrectly,
      ...Object.fromEntries(['proved', 'refuted', 'unknown', 'invalid'].map(name => [name, count(name)])),
      ...Object.fromEntries(Object.entries(findings).map(([name, list]) => [name, list.length])),
    },
    [`milliseconds of the processor; the slowest is ${slowest}`]: milliseconds,
  },
  bars: [
    { name: 'pairs', value: pairs.length, min: 1 },
    { name: 'proved although a value refutes it', value: falseProved, max: 0 },
    { name: 'refuted with a value that no validator confirms', value: unconfirmed.length, max: 0 },
    {
      name: 'share of the labelled decided correctly',
      value: decidedCorrectly / (labelled || 1),
      min: labelled && 0.97,
    },
    {
      name: 'share of unknown',
      value: count('unknown') / Math.max(1, pairs.length),
      max: labelled > 0 ? 0.03 : 0.01,
    },
    { name: 'milliseconds, p95', value: milliseconds.p95, max: 50 },
    { name: 'milliseconds of the slowest', value: milliseconds.most, max: 500 },
  ],
  details: findings,
})
if (!json)
  for (const [title, list] of Object.entries(findings))
    for (const { id, verdict, expected, witness, notes } of list)
      console.log(
        `${title}: ${id} ${verdict}, label ${expected}, witness ${stringify(witness)?.slice(0, 300)}: ${notes.join('; ')}`,
      )
