/** The same generator noise in many tools is one row. */

import { groupBy } from '../group-by.ts'
import { withoutUndefined } from '../json/json.ts'
import type { Verdict } from './change.ts'
import type { UnratedChange } from './rate-change.ts'

/**
 * Folded rows stand where the first of their kind stood, with the worst verdicts of the group and a witness of these. What
 * occurs in one tool only stays as it is. What breaks callers has a row of its own.
 */
export function foldNoise(unrated: readonly UnratedChange[]): UnratedChange[] {
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
        // An input of one of the tools.
        witness: group.find(change => change.strict === strict && change.witness)?.witness,
        breaksWith: breaksWith.length > 0 ? breaksWith : undefined,
      }),
    },
  ]
}

const worstFirst = ['refuted', 'invalid', 'unknown'] as const satisfies readonly Verdict[]

/** `proved` only where it is claimed for every tool. */
function worstVerdict(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  const bad = worstFirst.find(verdict => verdicts.includes(verdict))
  return bad ?? (verdicts.every(verdict => verdict === 'proved') ? 'proved' : undefined)
}
