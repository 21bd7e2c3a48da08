/** One tool before and after: every change of it, without severities. */

import type { Budget } from '../compat/limits.ts'
import { jsonEquals } from '../json/equality.ts'
import { withoutUndefined } from '../json/json.ts'
import type { ManifestTool } from '../tool/tool.ts'
import type { UnratedChange } from './rate-change.ts'
import { toolRules } from './rules/tool-rules.ts'
import { type Comparison, compareSchemas, type JudgedCause } from './schema/compare-schemas.ts'

type Direction = 'input' | 'output'

/** @param tool how the report calls it */
export function compareTools(
  before: ManifestTool,
  after: ManifestTool,
  tool: string,
  budget: Budget,
): UnratedChange[] {
  const unrated: UnratedChange[] = toolRules.flatMap(rule =>
    rule.find(before, after).map(finding => ({ ...finding, tool, showWords: finding.direction === 'text' })),
  )
  unrated.push(...compare(before.inputSchema, after.inputSchema, 'input', tool, budget))
  if (before.outputSchema !== undefined && after.outputSchema !== undefined)
    unrated.push(...compare(before.outputSchema, after.outputSchema, 'output', tool, budget))
  return unrated
}

function compare(
  before: ManifestTool['inputSchema'],
  after: ManifestTool['inputSchema'],
  direction: Direction,
  tool: string,
  budget: Budget,
): UnratedChange[] {
  if (jsonEquals(before, after)) return []
  try {
    const comparison = compareSchemas(before, after, direction, budget)
    return [
      ...comparison.causes.map(cause => changeOfCause(cause, direction, tool)),
      ...changesOfWhole(comparison, before, after, direction, tool),
    ]
  } catch (thrown) {
    // The stack ends before any limit of ours on schemas nested thousands deep.
    if (!(thrown instanceof RangeError)) throw thrown
    const reason = 'the schema is nested too deep'
    return [whole(direction, tool, { strict: 'unknown', declared: 'unknown', reason })]
  }
}

function changeOfCause(cause: JudgedCause, direction: Direction, tool: string): UnratedChange {
  const { rule, message, path, before, after, noise, text, judgement, witness } = cause
  const isText = rule.startsWith('part-')
  return {
    rule,
    message: direction === 'output' && isText ? `output ${message}` : message,
    path,
    tool,
    direction: isText ? 'text' : direction,
    ...withoutUndefined({ before, after }),
    ...(noise ? { noise } : {}),
    ...(text ? { text, showWords: isText } : {}),
    ...judgement,
    ...(witness ? { witness } : {}),
  }
}

/** What the causes do not tell: a verdict on the whole that none of them has. */
function changesOfWhole(
  { causes, whole: verdicts, unexplained }: Comparison,
  before: unknown,
  after: unknown,
  direction: Direction,
  tool: string,
): UnratedChange[] {
  if (verdicts.strict === 'invalid')
    return [
      {
        ...whole(direction, tool, verdicts),
        rule: 'schema-invalid',
        message: `one of the two ${direction} schemas is not valid: ${verdicts.reason ?? 'it breaks its meta-schema'}`,
      },
    ]
  if (unexplained) return [{ ...whole(direction, tool, verdicts), before, after, witness: unexplained }]
  const decided = causes.filter(cause => cause.judgement)
  const undecided =
    verdicts.strict === 'unknown' && decided.every(cause => cause.judgement?.strict === 'proved')
  if (undecided) return [{ ...whole(direction, tool, verdicts), before, after }]
  // A definition that nothing uses, a reference in place of what it points at: only the generator speaks.
  if (causes.length === 0) {
    const message = `the ${direction} schema is written differently`
    return [{ ...whole(direction, tool, verdicts), rule: 'generator-form', message, noise: true }]
  }
  return []
}

function whole(direction: Direction, tool: string, verdicts: Comparison['whole']): UnratedChange {
  const refuted = verdicts.strict === 'refuted'
  return {
    rule: 'schema-changed',
    direction,
    tool,
    path: '',
    message: refuted
      ? `the ${direction} schema as a whole ${direction === 'input' ? 'refuses what it took' : 'gives what it did not give'}`
      : `the ${direction} schema changed`,
    ...verdicts,
  }
}
