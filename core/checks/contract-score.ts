/** A score from 0 to 100 for how well a tool keeps the contract that its schemas state. */
import { type AnswerVerdict, isFailure } from './assess-answer.ts'

/** One call with a generated input. */
export interface ScoredCall {
  readonly kind: 'valid' | 'invalid'
  readonly verdict: AnswerVerdict
  /** Whether the tool declares an output schema and the call gave a result that was compared with it. */
  readonly isOutputChecked: boolean
}

/** The parts of a score, in the order of reports. */
export const scoreParts = {
  staysAlive: { label: 'stays alive', weight: 30 },
  refusesForbidden: { label: 'refuses what it forbids', weight: 30 },
  namesField: { label: 'names the field', weight: 15 },
  keepsOutput: { label: 'output kept', weight: 15 },
  declaresOutput: { label: 'declares output', weight: 10 },
} as const
export type ScorePart = keyof typeof scoreParts

/** The share of a part, from 0 to 1; absent if no call tested it. */
export type ScoreShares = { readonly [Part in ScorePart]?: number }

export interface ContractScore {
  /** 0 to 100, rounded. Parts that no call tested do not count. */
  readonly total: number | 'not tested'
  readonly parts: ScoreShares
  /** Calls that say something about the tool. */
  readonly calls: number
}

export function scoreTool(calls: readonly ScoredCall[], declaresOutput: boolean): ContractScore {
  const tested = calls.filter(({ verdict }) => verdict !== 'not-tested')
  if (tested.length === 0) return { total: 'not tested', parts: {}, calls: 0 }
  const survived = tested.filter(({ verdict }) => !isFatal(verdict))
  const invalid = survived.filter(({ kind }) => kind === 'invalid')
  const refused = invalid.filter(({ verdict }) => verdict !== 'accepted-silently')
  // A valid input that is refused or not answered with a result gets no output that keeps the contract.
  const outputs = survived.filter(
    ({ kind, verdict, isOutputChecked }) => isOutputChecked || (kind === 'valid' && isFailure(verdict)),
  )
  const parts = {
    staysAlive: survived.length / tested.length,
    ...share('refusesForbidden', refused.length, invalid.length),
    ...share('namesField', refused.filter(({ verdict }) => !isFailure(verdict)).length, refused.length),
    ...share(
      'keepsOutput',
      outputs.filter(({ kind, verdict }) =>
        kind === 'valid' ? !isFailure(verdict) : verdict !== 'output-invalid',
      ).length,
      outputs.length,
    ),
    declaresOutput: declaresOutput ? 1 : 0,
  }
  return { total: weigh(parts), parts, calls: tested.length }
}

/** Returns the score of a server: the mean of each part over the tools in which it was tested. */
export function scoreServer(tools: readonly ContractScore[]): ContractScore {
  const tested = tools.filter(({ total }) => total !== 'not tested')
  if (tested.length === 0) return { total: 'not tested', parts: {}, calls: 0 }
  const parts: { [Part in ScorePart]?: number } = {}
  for (const part of partNames) {
    const shares = tested.flatMap(tool => tool.parts[part] ?? [])
    if (shares.length > 0) parts[part] = shares.reduce((sum, each) => sum + each, 0) / shares.length
  }
  const calls = tested.reduce((sum, tool) => sum + tool.calls, 0)
  return { total: weigh(parts), parts, calls }
}

// The keys of the constant above are its own.
const partNames = Object.keys(scoreParts) as ScorePart[]

const isFatal = (verdict: AnswerVerdict) =>
  verdict === 'crash' || verdict === 'hang' || verdict === 'server-error'

function share<Part extends ScorePart>(part: Part, good: number, all: number): { [Key in Part]?: number } {
  // A computed key loses its type.
  return (all === 0 ? {} : { [part]: good / all }) as { [Key in Part]?: number }
}

function weigh(parts: ScoreShares): number {
  let sum = 0
  let weights = 0
  for (const part of partNames) {
    const { weight } = scoreParts[part]
    sum += weight * (parts[part] ?? 0)
    weights += parts[part] === undefined ? 0 : weight
  }
  return Math.round((100 * sum) / weights)
}
