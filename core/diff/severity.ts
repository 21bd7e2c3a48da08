/** How bad a change is: from its verdict and direction where a schema decides, else from its rule. */
import type { Severity, Verdict } from './change.ts'

/** Worst first. */
export const severities = ['breaking', 'dangerous', 'warning', 'info'] as const satisfies readonly Severity[]

/** What the user set in a rules file: a severity for a rule, or `off`. */
export type Overrides = Readonly<Record<string, Severity | 'off'>>

export interface Evidence {
  readonly rule: string
  readonly direction: 'input' | 'output' | 'annotation' | 'text' | 'tool'
  readonly strict?: Verdict
  readonly declared?: Verdict
  readonly cues: readonly string[]
}

/** Rules whose severity does not hang on a schema. */
const fixedSeverities: Readonly<Record<string, Severity>> = {
  'tool-removed': 'breaking',
  'safety-lowered': 'dangerous',
  // No value breaks; whoever relied on the promise has lost it.
  'output-schema-removed': 'warning',
  'schema-invalid': 'dangerous',
  // Only the generator speaks here, and no integer that JSON carries exactly is concerned.
  'generator-bounds': 'info',
  'format-changed': 'info',
}

/** Proved compatible, and yet something that a caller used is no longer named. */
const warnedWhenCompatible: Readonly<Record<string, Severity>> = {
  'property-removed': 'warning',
  'property-renamed': 'warning',
  'default-changed': 'warning',
}

export function severityOf(evidence: Evidence, overrides: Overrides): Severity | 'off' {
  return (
    overrides[evidence.rule] ??
    worst(ratedByVerdict(evidence), evidence.cues.length > 0 ? 'dangerous' : 'info')
  )
}

function ratedByVerdict({ rule, direction, strict, declared }: Evidence): Severity {
  if (Object.hasOwn(fixedSeverities, rule)) return fixedSeverities[rule] ?? 'info'
  const otherwise =
    direction === 'input' && Object.hasOwn(warnedWhenCompatible, rule)
      ? (warnedWhenCompatible[rule] ?? 'info')
      : 'info'
  if (strict === undefined || strict === 'proved') return otherwise
  if (strict === 'refuted' && declared === 'refuted') return 'breaking'
  return 'warning'
}

function worst(a: Severity, b: Severity): Severity {
  return severities.indexOf(a) < severities.indexOf(b) ? a : b
}
