/** Compares two manifests: every change with its severity, and the counts. Pure; bounded in steps. */

import { loadCompatFor } from '../compat/is-subschema.ts'
import { Budget, defaultProofLimits } from '../compat/proof-limits.ts'
import { withoutUndefined } from '../json/json.ts'
import { groupBy } from '../lists.ts'
import { addedText } from '../text/cues.ts'
import { type ManifestTool, missingInput } from '../tool/tool.ts'
import type { Change, DiffReport, DiffSide, Severity, Verdict } from './change.ts'
import { compareServers } from './compare-servers.ts'
import { compareTools } from './compare-tools.ts'
import { matchTools, type Rename } from './match-tools.ts'
import { type FormatReading, type RatingOptions, rateChange, type UnratedChange } from './rate-change.ts'
import { type Overrides, severities } from './severity.ts'
import { buildSections, type SectionKind, type SurfaceSection, toEntryLabel } from './surface-sections.ts'
import { type Ignores, isIgnored, unusedIgnores } from './team-rules.ts'

export interface DiffOptions {
  readonly overrides?: Overrides
  readonly ignores?: Ignores
  /** Rates changes for all callers, not only for callers that send declared fields. */
  readonly strict?: boolean
  /** Whether an added or changed format refuses values; `assert` by default. */
  readonly formats?: FormatReading
  /** Maximum steps for all containment questions together; 5,000,000 by default. Later questions stay undecided. */
  readonly steps?: number
  /** Awaited after every changed tool, so that other work in this thread can run. */
  readonly pause?: () => Promise<void>
}

const maxSteps = 5_000_000

/** Compares two manifests and changes neither. Loads the modules for patterns and unusual schemas once, if needed. */
export async function diffManifests(
  given: DiffSide,
  givenAfter: DiffSide,
  options: DiffOptions = {},
): Promise<DiffReport> {
  const [before, after] = withoutEraFields(given, givenAfter)
  await loadCompatFor(before, after)
  const budget = new Budget({ ...defaultProofLimits, steps: options.steps ?? maxSteps })
  const found = compareServers(before, after)
  let compared = 0
  const unread = readUnreadInputs(before, after)
  for (const section of buildSections(before, after)) {
    const { changes, pairCount } = await compareSection(section, budget, options, unread)
    found.push(...changes)
    if (section.kind === 'tool') compared = pairCount
  }
  const unrated = foldNoise(found)
  const names = new Set([...before.tools, ...after.tools].map(tool => tool.name))
  const { overrides = {}, strict = false, formats = 'assert' } = options
  const ratingOptions: RatingOptions = { overrides, strict, names, formats }
  const switchedOff: Record<string, number> = {}
  let lowered = 0
  const rated = unrated.flatMap(draft => {
    const change = rateChange(draft, ratingOptions)
    if (change?.severity !== 'breaking' && Object.keys(overrides).length > 0)
      lowered += rateChange(draft, { ...ratingOptions, overrides: {} })?.severity === 'breaking' ? 1 : 0
    if (change === undefined) switchedOff[draft.rule] = (switchedOff[draft.rule] ?? 0) + 1
    return change ?? []
  })
  const all = makeFingerprintsUnique(rated)
  const ignored = all.filter(change => isIgnored(change, options.ignores))
  const silenced = new Set(ignored)
  const changes = all.filter(change => !silenced.has(change)).toSorted(bySeverity)
  return {
    changes,
    counts: countBySeverity(changes),
    proved: changes.filter(change => change.strict === 'proved').length,
    undecided: changes.filter(({ strict, declared }) => isUndecided(strict) || isUndecided(declared)).length,
    compared,
    ignored,
    unusedIgnores: unusedIgnores(all, options.ignores),
    switchedOff,
    lowered,
    strict,
  }
}

/** Sorts the worst first; within one severity the manifest's order stays. */
function bySeverity(a: Change, b: Change): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity)
}

export function countBySeverity(changes: readonly Change[]): Record<Severity, number> {
  const counts = { breaking: 0, dangerous: 0, warning: 0, info: 0 }
  for (const change of changes) counts[change.severity] += 1
  return counts
}

/** Two tools with the same name may change in the same way, so the second one gets its own fingerprint. */
function makeFingerprintsUnique(changes: readonly Change[]): Change[] {
  const seen = new Set<string>()
  const next = new Map<string, string>()
  return changes.map(change => {
    let fingerprint = next.get(change.fingerprint) ?? change.fingerprint
    while (seen.has(fingerprint)) fingerprint = increment(fingerprint)
    seen.add(fingerprint)
    next.set(change.fingerprint, increment(fingerprint))
    return fingerprint === change.fingerprint ? change : { ...change, fingerprint }
  })
}

const increment = (fingerprint: string) =>
  ((Number.parseInt(fingerprint, 16) + 1) >>> 0).toString(16).padStart(8, '0')

async function compareSection(
  { kind, before, after }: SurfaceSection,
  budget: Budget,
  { pause }: DiffOptions,
  describeUnread: (before: string, after: string) => string | undefined,
): Promise<{ readonly changes: readonly UnratedChange[]; readonly pairCount: number }> {
  const { pairs, removed, added, renames } = matchTools(before, after)
  const compared: UnratedChange[] = []
  for (const [entryBefore, entryAfter] of pairs) {
    const unread = kind === 'tool' ? describeUnread(entryBefore.name, entryAfter.name) : undefined
    const unrated = compareTools(entryBefore, entryAfter, toEntryLabel(kind, entryAfter.name), budget, unread)
    if (unrated.length === 0) continue
    compared.push(...unrated)
    await pause?.()
  }
  const changes = [
    ...renames.map(rename => renameChange(kind, rename)),
    ...removed.map(entry => removedChange(kind, entry)),
    ...compared,
    ...added.map(entry => addedChange(kind, entry)),
  ]
  return { changes, pairCount: pairs.length }
}

/** Returns what says of a tool, by its two names, why its input schemas cannot be compared; undefined if they can. */
function readUnreadInputs(before: DiffSide, after: DiffSide) {
  const [unreadBefore, unreadAfter] = [new Map(before.unreadInputs), new Map(after.unreadInputs)]
  return (nameBefore: string, nameAfter: string): string | undefined => {
    const [old, now] = [unreadBefore.get(nameBefore), unreadAfter.get(nameAfter)]
    if (old === missingInput && now === missingInput) return undefined
    if (now !== undefined) return `the new input schema could not be read: ${now}`
    return old === undefined ? undefined : `the old input schema could not be read: ${old}`
  }
}

function removedChange(kind: SectionKind, tool: ManifestTool): UnratedChange {
  return {
    rule: `${kind}-removed`,
    direction: 'tool',
    tool: toEntryLabel(kind, tool.name),
    path: '',
    message: `${kind} removed`,
    before: pickVisibleFields(tool),
  }
}

function addedChange(kind: SectionKind, tool: ManifestTool): UnratedChange {
  const { name, title, description, inputSchema, outputSchema } = tool
  return {
    rule: `${kind}-added`,
    direction: 'tool',
    tool: toEntryLabel(kind, name),
    path: '',
    message: `${kind} added`,
    after: pickVisibleFields(tool),
    text: { before: '', after: addedText([title, description, inputSchema, outputSchema]) },
  }
}

function pickVisibleFields({
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: ManifestTool): unknown {
  return Object.fromEntries(
    Object.entries({ title, description, inputSchema, outputSchema, annotations }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

/** Callers address an entry by its name, so a rename breaks them. Other changes are reported under the new name. */
function renameChange(kind: SectionKind, { pairs, rule, score }: Rename): UnratedChange {
  const [first, ...others] = pairs
  const names = { before: pairs.map(([before]) => before.name), after: pairs.map(([, after]) => after.name) }
  const change = { rule: `${kind}-renamed`, direction: 'tool', path: '' } as const
  if (first === undefined || others.length > 0)
    return {
      ...change,
      message: `${pairs.length} ${kind}s renamed: ${rule}`,
      tools: names.after.map(name => toEntryLabel(kind, name)),
      ...names,
    }
  const [before, after] = first
  return {
    ...change,
    tool: toEntryLabel(kind, after.name),
    message: `likely renamed: ${before.name} → ${after.name} (${Math.round(score * 100)}% alike)`,
    before: before.name,
    after: after.name,
  }
}

/* Some tool fields exist in only one era of MCP, so a comparison of two eras ignores them. */

/** `execution` (tasks) was added in 2025-11-25; the `Tool` of 2026-07-28 does not have it. */
const field = 'execution'
const firstModern = '2026-07-28'

/** Returns the two sides without fields that cannot be compared, or the same objects if there are no such fields. */
function withoutEraFields(before: DiffSide, after: DiffSide): readonly [DiffSide, DiffSide] {
  const eras = [before, after].map(side => side.protocolVersion && side.protocolVersion >= firstModern)
  const areDifferent = eras.every(era => era !== undefined) && eras[0] !== eras[1]
  // A stored version does not name its protocol. If no tool has the field any longer, the protocol changed, not the
  // tools.
  const isGone = hasField(before) && !hasField(after)
  return areDifferent || isGone ? [strip(before), strip(after)] : [before, after]
}

const hasField = ({ tools }: DiffSide) => tools.some(({ extra }) => extra?.[field] !== undefined)

function strip(side: DiffSide): DiffSide {
  return {
    ...side,
    tools: side.tools.map((tool): ManifestTool => {
      if (tool.extra?.[field] === undefined) return tool
      const { [field]: _, ...extra } = tool.extra
      return { ...tool, extra }
    }),
  }
}

/* The same generator noise in many tools becomes one row. */

/**
 * A folded row takes the place of the first change of its kind, with the worst verdicts of the group and a witness for
 * them. A change of only one tool stays as it is. Changes that break callers are folded into a separate row.
 */
function foldNoise(unrated: readonly UnratedChange[]): UnratedChange[] {
  const groups = groupBy(unrated, change => {
    const { rule, direction, before, after, noise, declared } = change
    if (!noise) return change
    return JSON.stringify([rule, direction, before ?? null, after ?? null, declared === 'refuted'])
  })
  return [...groups.values()].flatMap(fold)
}

function fold(group: readonly UnratedChange[]): readonly UnratedChange[] {
  const [first] = group
  const tools = [...new Set(group.flatMap(change => change.tool ?? []))]
  if (first === undefined || tools.length < 2) return group
  const { rule, direction, message, noise, before, after, reason } = first
  const strict = worstVerdict(group.map(change => change.strict))
  const breaksWith = group.flatMap(change => (change.breaksWith ?? []).map(each => `${change.tool}: ${each}`))
  return [
    {
      rule,
      direction,
      path: '',
      message: `${message}, across ${tools.length} tools`,
      tools,
      ...withoutUndefined({
        noise,
        before,
        after,
        strict,
        declared: worstVerdict(group.map(change => change.declared)),
        reason: group.every(change => change.reason === reason) ? reason : undefined,
        // The witness is an input of one of the tools.
        witness: group.find(change => change.strict === strict && change.witness)?.witness,
        breaksWith: breaksWith.length > 0 ? breaksWith : undefined,
      }),
    },
  ]
}

const worstFirst = ['refuted', 'invalid', 'unknown'] as const satisfies readonly Verdict[]

/** Returns `proved` only if every verdict is `proved`. */
function worstVerdict(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  const bad = worstFirst.find(verdict => verdicts.includes(verdict))
  return bad ?? (verdicts.every(verdict => verdict === 'proved') ? 'proved' : undefined)
}

/** Whether neither a proof nor an input was found. Nothing can be decided about a schema that is not valid. */
const isUndecided = (verdict: Verdict | undefined) => verdict === 'unknown' || verdict === 'invalid'

interface SourceReport {
  readonly source: string
  readonly report: DiffReport
}

/** Sorts the worst first. With several sources, the source's name precedes each tool's name: `acme/greet`. */
export function mergeReports(parts: readonly SourceReport[]): DiffReport {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only.report
  const named = (key: 'changes' | 'ignored') =>
    parts.flatMap(({ source, report }) =>
      report[key].map(change => ({
        ...change,
        tool: change.tool === undefined ? source : `${source}/${change.tool}`,
      })),
    )
  const sum = (of: (report: DiffReport) => number) =>
    parts.reduce((total, { report }) => total + of(report), 0)
  const counts: Record<Severity, number> = { breaking: 0, dangerous: 0, warning: 0, info: 0 }
  for (const severity of severities) counts[severity] = sum(report => report.counts[severity])
  return {
    changes: named('changes').toSorted(
      (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
    ),
    ignored: named('ignored'),
    unusedIgnores: (parts[0]?.report.unusedIgnores ?? []).filter(fingerprint =>
      parts.every(({ report }) => report.unusedIgnores.includes(fingerprint)),
    ),
    lowered: parts.reduce((sum, { report }) => sum + report.lowered, 0),
    switchedOff: sumByRule(parts.map(({ report }) => report.switchedOff)),
    counts,
    proved: sum(report => report.proved),
    undecided: sum(report => report.undecided),
    compared: sum(report => report.compared),
    strict: parts.some(({ report }) => report.strict),
  }
}

function sumByRule(all: readonly DiffReport['switchedOff'][]): DiffReport['switchedOff'] {
  const sums: Record<string, number> = {}
  for (const [rule, count] of all.flatMap(Object.entries<number>)) sums[rule] = (sums[rule] ?? 0) + count
  return sums
}
