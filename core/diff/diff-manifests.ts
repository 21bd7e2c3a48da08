/** What changed between two manifests: every change with its severity, and the counts. Pure; bounded in time. */
import { loadCompat } from '../compat/is-subschema.ts'
import type { ManifestTool } from '../tool/tool.ts'
import type { Change, DiffReport, DiffSide, Severity } from './change.ts'
import { compareTools } from './compare-tools.ts'
import { foldNoise } from './fold-noise.ts'
import { matchTools, type Rename } from './match-tools.ts'
import { type RatingOptions, rateChange, type UnratedChange } from './rate-change.ts'
import { sides } from './rules/schema-rule.ts'
import { Clock } from './schema/clock.ts'
import { type Overrides, severities } from './severity.ts'
import { type Ignores, isIgnored } from './team-rules.ts'
import { addedText } from './text/text-change.ts'

export interface DiffOptions {
  readonly overrides?: Overrides
  readonly ignores?: Ignores
  /** Milliseconds for all containment questions together; 8,000 unless given. What is left then is undecided. */
  readonly milliseconds?: number
  /** Awaited after every tool that changed, so that whoever else lives in this thread gets a turn. */
  readonly pause?: () => Promise<void>
}

/** Loads what patterns and unusual schemas need (once), then compares. Neither side is changed. */
export async function diffManifests(
  before: DiffSide,
  after: DiffSide,
  options: DiffOptions = {},
): Promise<DiffReport> {
  await loadCompat()
  const { pairs, removed, added, renames } = matchTools(before.tools, after.tools)
  const clock = new Clock(options.milliseconds ?? 8_000)
  const compared: UnratedChange[] = []
  for (const [toolBefore, toolAfter] of pairs) {
    const unrated = compareTools(toolBefore, toolAfter, clock)
    if (unrated.length === 0) continue
    compared.push(...unrated)
    await options.pause?.()
  }
  const unrated = foldNoise([
    ...instructions(before, after),
    ...renames.map(renameChange),
    ...removed.map(removedChange),
    ...compared,
    ...added.map(addedChange),
  ])
  const names = new Set([...before.tools, ...after.tools].map(tool => tool.name))
  const settling: RatingOptions = { overrides: options.overrides ?? {}, names }
  const all = makeFingerprintsUnique(unrated.flatMap(draft => rateChange(draft, settling) ?? []))
  const ignored = all.filter(change => isIgnored(change, options.ignores))
  const silenced = new Set(ignored)
  const changes = all.filter(change => !silenced.has(change)).toSorted(bySeverity)
  return {
    changes,
    counts: countBySeverity(changes),
    proved: changes.filter(change => change.strict === 'proved').length,
    undecided: changes.filter(change => change.strict === 'unknown' || change.declared === 'unknown').length,
    compared: pairs.length,
    ignored,
  }
}

/** Worst first; within one severity in the order of the manifest. */
function bySeverity(a: Change, b: Change): number {
  return severities.indexOf(a.severity) - severities.indexOf(b.severity)
}

function countBySeverity(changes: readonly Change[]): Record<Severity, number> {
  const counts = { breaking: 0, dangerous: 0, warning: 0, info: 0 }
  for (const change of changes) counts[change.severity] += 1
  return counts
}

/** Two tools of one name may change in the same way: the second gets a fingerprint of its own. */
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

function instructions(
  { instructions: before }: DiffSide,
  { instructions: after }: DiffSide,
): UnratedChange[] {
  if (before === after) return []
  const how = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  return [
    {
      rule: 'instructions-changed',
      direction: 'text',
      path: 'instructions',
      message: `instructions of the server ${how}`,
      ...sides(before, after),
      text: { before: before ?? '', after: after ?? '' },
      showWords: true,
    },
  ]
}

function removedChange(tool: ManifestTool): UnratedChange {
  return {
    rule: 'tool-removed',
    direction: 'tool',
    tool: tool.name,
    path: '',
    message: 'tool removed',
    before: shownFields(tool),
  }
}

function addedChange(tool: ManifestTool): UnratedChange {
  const { name, title, description, inputSchema, outputSchema } = tool
  return {
    rule: 'tool-added',
    direction: 'tool',
    tool: name,
    path: '',
    message: 'tool added',
    after: shownFields(tool),
    text: { before: '', after: addedText([title, description, inputSchema, outputSchema]) },
  }
}

function shownFields({ title, description, inputSchema, outputSchema, annotations }: ManifestTool): unknown {
  return Object.fromEntries(
    Object.entries({ title, description, inputSchema, outputSchema, annotations }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

function renameChange({ before, after, score }: Rename): UnratedChange {
  return {
    rule: 'tool-renamed',
    direction: 'tool',
    tool: after.name,
    path: '',
    message: `likely renamed: ${before.name} → ${after.name} (${Math.round(score * 100)}% alike)`,
    before: before.name,
    after: after.name,
  }
}
