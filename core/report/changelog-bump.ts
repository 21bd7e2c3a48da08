/** Which part of a version number a set of changes asks to raise: docs/changelog.md has the rule as a table. */
import type { Change, DiffReport } from '../diff/change.ts'
import type { Bump } from './changelog.ts'

/** Rules on schemas that do not affect a caller who sends declared fields only. */
const rulesWithoutEffect: ReadonlySet<string> = new Set([
  'additional-properties-closed',
  'additional-properties-opened',
  'enum-form',
  'format-changed',
  'generator-bounds',
  'generator-dialect',
  'generator-form',
  'note-changed',
])

/** Capabilities have no schema, but clients rely on them. */
const rulesOfCapabilities: ReadonlySet<string> = new Set(['capability-added', 'capability-changed'])

/**
 * `major` for a change that breaks callers; `minor` for one that needs a look, that adds something or changes what an
 * input takes or an output gives; `patch` for the others.
 */
export function bumpOf({ changes, counts }: Pick<DiffReport, 'changes' | 'counts'>): Bump {
  if (changes.length === 0) return 'none'
  if (counts.breaking > 0) return 'major'
  return counts.dangerous + counts.warning > 0 || changes.some(changesTheInterface) ? 'minor' : 'patch'
}

function changesTheInterface({ rule, direction }: Change): boolean {
  if (rulesWithoutEffect.has(rule)) return false
  return (
    direction === 'input' || direction === 'output' || direction === 'tool' || rulesOfCapabilities.has(rule)
  )
}
