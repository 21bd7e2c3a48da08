/** The run of generated inputs: its plan, its findings and its report, as the API, the reports and exports have them. */
import type { ToolAnnotations } from '../tool/tool.ts'
import { type AnswerVerdict, isFailure } from './assess-answer.ts'
import type { Constraint } from './constraints.ts'
import type { ContractScore } from './contract-score.ts'
import type { CoverageCount, GeneratedInput, SchemaCoverage } from './generate-inputs.ts'

export interface PlannedInput extends Pick<GeneratedInput, 'kind' | 'why' | 'field'> {
  /** The exact JSON text that is sent. */
  readonly inputText: string
  readonly constraint: Constraint
  /** Why only our validator decided about it; absent if both did. */
  readonly note?: string
}

export interface PlannedTool {
  readonly ref: string
  /** The hints of the source, unverified. */
  readonly annotations: ToolAnnotations
  readonly valid: number
  readonly invalid: number
  /** Inputs that are not sent, because the two validators disagree about them. */
  readonly unconfirmed: number
  readonly coverage: SchemaCoverage
  /** Constraints without an invalid input, each with the reason. */
  readonly unknowns: readonly { readonly constraint: Constraint; readonly reason: string }[]
  /** Why nothing is sent, if there is no valid input. */
  readonly problem?: string
  /** In a dry run: every input, in the order in which they would be sent. */
  readonly inputs?: readonly PlannedInput[]
}

/** How far a run may go. Each level includes the ones before it. */
export const permissions = ['read-only', 'idempotent', 'all'] as const
export type Permission = (typeof permissions)[number]

export interface SkippedTool {
  readonly ref: string
  /** The risk, in a part of a sentence: `it is not declared read-only`. */
  readonly reason: string
  /** The permission that allows its calls; `consent`: a rule asks before each call. */
  readonly needs: 'idempotent' | 'all' | 'consent' | 'nothing'
}

export interface GeneratedPlan {
  /** For `POST /api/generated-checks/{id}/stop`. */
  readonly id: string
  readonly seed: number
  readonly maxCalls: number
  readonly isDryRun: boolean
  readonly tools: readonly PlannedTool[]
  readonly skipped: readonly SkippedTool[]
  /** Inputs of all tools together. Fewer are sent if the budget ends first; failures need a few calls more. */
  readonly inputs: number
}

export interface GeneratedProgress {
  /** Calls so far, those that confirm and shrink a failure included. */
  readonly calls: number
  /** Inputs so far; the plan has their total. */
  readonly inputs: number
  readonly findings: number
  /** The tool that is called now. */
  readonly ref: string
}

export interface FoundCall {
  readonly ref: string
  /** The exact JSON text. */
  readonly inputText: string
}

/** One cause of failure of one tool. */
export interface GeneratedFinding {
  /** Stable over runs: of tool and cause. */
  readonly id: string
  readonly ref: string
  readonly verdict: Exclude<AnswerVerdict, 'ok' | 'not-tested'>
  readonly kind: GeneratedInput['kind']
  /** One sentence: the fault, with the beginning of the answer. */
  readonly message: string
  /** One sentence: the constraint that the input breaks, or the boundary at which it is. */
  readonly why: string
  readonly constraint: Constraint
  /** JSON Pointer into the input: the field that the input is about. */
  readonly field: string
  /** The smallest input that was found and fails alike, as exact JSON text. */
  readonly inputText: string
  /** Whether no smaller input fails alike; false if the budget ended first. */
  readonly isSmallest: boolean
  /** Inputs of the run that fail alike. */
  readonly count: number
  /** Calls that end the server together, in their order, if no input was found that ends it alone. The input is the last one's. */
  readonly calls?: readonly FoundCall[]
  /** The call as a line for a shell; for several calls the run that makes them. */
  readonly shellLine: string
  /** The text of an example for `PUT /api/examples`; absent if the input cannot be saved. */
  readonly exampleText?: string
  /** Facts for the reader: that only one validator decided, or that the failure came only once. */
  readonly notes: readonly string[]
}

export interface CheckedTool {
  readonly ref: string
  /** Inputs of the plan. */
  readonly planned: number
  /** Inputs that were sent, without a call that the end of the run cancelled. */
  readonly inputs: number
  readonly calls: number
  /** Inputs by verdict. */
  readonly verdicts: { readonly [Verdict in AnswerVerdict]?: number }
  /** Only the inputs that were sent count. */
  readonly coverage: SchemaCoverage
  /** All parts of the schema that were exercised, from 0 to 100. */
  readonly coveragePercent: number
  readonly score: ContractScore
  readonly findings: number
  /** Why inputs of the plan were not sent; absent if all were. */
  readonly cut?: string
}

/** Why a run ended. */
export const runEndings = ['done', 'max-calls', 'time', 'stopped'] as const
export type RunEnding = (typeof runEndings)[number]

export interface GeneratedReport {
  readonly seed: number
  readonly ending: RunEnding
  readonly sent: SentShare
  readonly calls: number
  readonly durationMs: number
  readonly tools: readonly CheckedTool[]
  readonly sources: readonly { readonly source: string; readonly score: ContractScore }[]
  readonly coveragePercent: number
  readonly skipped: readonly SkippedTool[]
}

/** The score of a tool's last run. */
export interface ToolScore {
  readonly ref: string
  readonly source: string
  readonly score: ContractScore
  readonly coveragePercent: number
  readonly findings: number
  /** ISO 8601, UTC. */
  readonly time: string
  /** Whether the tool's schemas have changed since then. */
  readonly isOutdated: boolean
}

export interface ScoreList {
  readonly tools: readonly ToolScore[]
  /** Only tools with a score count. */
  readonly sources: readonly { readonly source: string; readonly score: ContractScore }[]
}

/** The inputs of all tools together. */
export interface SentShare {
  readonly planned: number
  readonly sent: number
  /** From 0 to 100; 100 only if all were sent. */
  readonly percent: number
}

/** Returns how many inputs of the plan were sent. If not all were, no finding does not mean that all passed. */
export function countSent(tools: readonly Pick<CheckedTool, 'planned' | 'inputs'>[]): SentShare {
  const planned = tools.reduce((sum, tool) => sum + tool.planned, 0)
  const sent = tools.reduce((sum, tool) => sum + tool.inputs, 0)
  return { planned, sent, percent: planned === 0 ? 100 : Math.floor((100 * sent) / planned) }
}

/** Whether a call said something about the tool. */
export function isTested({ score }: Pick<CheckedTool, 'score'>): boolean {
  return score.total !== 'not tested'
}

/** Whether an input failed. The finding of a failure may be that of another tool. */
export function hasFailed({ verdicts, findings }: CheckedTool): boolean {
  return findings > 0 || (Object.keys(verdicts) as AnswerVerdict[]).some(isFailure)
}

/** Whether every input was sent and none failed. */
export function hasPassed(tool: CheckedTool): boolean {
  return isTested(tool) && tool.cut === undefined && !hasFailed(tool)
}

/** Returns the exercised share of all constraints, branches and enum values, from 0 to 100; 100 if there are none. */
export function toCoveragePercent(coverages: readonly SchemaCoverage[]): number {
  const counts = coverages.flatMap(({ constraints, branches, enumValues }) => [
    constraints,
    branches,
    enumValues,
  ])
  const total = counts.reduce((sum, each) => sum + each.total, 0)
  const exercised = counts.reduce((sum, each) => sum + each.exercised, 0)
  return total === 0 ? 100 : Math.floor((100 * exercised) / total)
}

/** The inputs of a plan, as far as its coverage depends on them. */
export interface CoveringInputs {
  readonly inputs: readonly CoveringInput[]
  /** For each branch that is exercised, the valid input that takes it. */
  readonly branchInputs: readonly Pick<CoveringInput, 'input'>[]
}

type CoveringInput = Pick<GeneratedInput, 'input' | 'kind' | 'constraint' | 'why'>

/** Returns the coverage if only some of the inputs are sent. */
export function withoutInputs(
  { constraints, branches, enumValues }: SchemaCoverage,
  { inputs, branchInputs }: CoveringInputs,
  sent: readonly CoveringInput[],
): SchemaCoverage {
  const isSent = ({ input }: Pick<CoveringInput, 'input'>) => sentInputs.has(input)
  const sentInputs = new Set(sent.map(({ input }) => input))
  const less = ({ total, exercised }: CoverageCount, count: number) => ({
    total,
    exercised: Math.max(0, exercised - count),
  })
  const isEnum = ({ kind, constraint }: CoveringInput) => kind === 'valid' && constraint.keyword === 'enum'
  return {
    constraints: less(constraints, countBroken(inputs) - countBroken(inputs.filter(isSent))),
    branches: less(branches, branchInputs.filter(each => !isSent(each)).length),
    enumValues: less(enumValues, inputs.filter(each => isEnum(each) && !isSent(each)).length),
  }
}

/** Returns how many constraints are broken: one may have several inputs. */
function countBroken(inputs: readonly CoveringInput[]): number {
  const broken = inputs.filter(({ kind }) => kind === 'invalid')
  const keys = broken.map(({ constraint: { pointer, keyword, value }, why }) => {
    const name = typeof value === 'string' ? value : ''
    // Two properties may need the same third one.
    return JSON.stringify([pointer, keyword, name, keyword.startsWith('dependen') ? why : ''])
  })
  return new Set(keys).size
}
