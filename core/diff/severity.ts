/** Decides how bad a change is: by verdict and direction if a schema decides, else by rule. */
import type { Severity, Verdict } from './change.ts'

/** Worst first. */
export const severities = ['breaking', 'dangerous', 'warning', 'info'] as const satisfies readonly Severity[]

/** The user's settings in a rules file: a severity for a rule, or `off`. */
export type Overrides = Readonly<Record<string, Severity | 'off'>>

export interface Evidence {
  readonly rule: string
  readonly direction: 'input' | 'output' | 'annotation' | 'text' | 'tool'
  readonly strict?: Verdict
  readonly declared?: Verdict
  /** Whether it refuses a value if formats are checked. */
  readonly failsFormat?: boolean
  readonly parts?: readonly { readonly rule: string }[]
  /** The combined changes, with their own lines, in which this change breaks callers. */
  readonly breaksWith?: readonly string[]
  /** Whether added words do what a description should not. */
  readonly hasDangerousCue: boolean
}

/** Rules whose severity does not depend on a schema. */
const fixedSeverities: Readonly<Record<string, Severity>> = {
  'tool-removed': 'breaking',
  'tool-renamed': 'breaking',
  'prompt-removed': 'breaking',
  'prompt-renamed': 'breaking',
  'resource-removed': 'breaking',
  'resource-renamed': 'breaking',
  'template-removed': 'breaking',
  'template-renamed': 'breaking',
  'skill-removed': 'breaking',
  'skill-renamed': 'breaking',
  'skill-file-changed': 'warning',
  'capability-removed': 'warning',
  'mime-type-changed': 'warning',
  'safety-lowered': 'dangerous',
  'schema-invalid': 'dangerous',
  // Only the generator writes these bounds, and they include every integer that JSON carries exactly.
  'generator-bounds': 'info',
}

/**
 * Rules that warn although the change is proved compatible: something that callers or consumers used is no longer
 * named.
 */
const warnedWhenCompatible: Readonly<Record<string, readonly Evidence['direction'][]>> = {
  'property-removed': ['input', 'output'],
  'property-renamed': ['input', 'output'],
  'default-changed': ['input'],
  'output-schema-removed': ['output'],
}

export interface SeverityOptions {
  readonly overrides: Overrides
  /** Rates for all callers and consumers; otherwise for those that send and read only declared fields. */
  readonly strict: boolean
}

export function decideSeverity(evidence: Evidence, { overrides, strict }: SeverityOptions): Severity | 'off' {
  const rated = worst(
    ratedByVerdict(evidence, strict ? evidence.strict : evidence.declared),
    evidence.hasDangerousCue ? 'dangerous' : 'info',
  )
  // A setting for one rule hides the findings of that rule, but not what breaks only together with other rules.
  const rules = [evidence.rule, ...(evidence.parts ?? []).map(part => part.rule)]
  return rules.map(rule => overrides[rule] ?? rated).reduce(worst)
}

function ratedByVerdict(
  { rule, direction, breaksWith, failsFormat = false }: Evidence,
  verdict: Verdict | undefined,
): Severity {
  // Validators disagree on whether a format counts: some servers refuse the witness.
  if (failsFormat) return 'dangerous'
  if (Object.hasOwn(fixedSeverities, rule)) return fixedSeverities[rule] ?? 'info'
  const isMissed =
    Object.hasOwn(warnedWhenCompatible, rule) && warnedWhenCompatible[rule]?.includes(direction)
  if (verdict === undefined && breaksWith) return 'warning'
  if (verdict === undefined || verdict === 'proved') return isMissed ? 'warning' : 'info'
  return verdict === 'refuted' ? 'breaking' : 'warning'
}

function worst<Rating extends Severity | 'off'>(a: Rating, b: Rating): Rating {
  const rank = (rating: Rating) => (rating === 'off' ? severities.length : severities.indexOf(rating))
  return rank(a) < rank(b) ? a : b
}
