/** The classes of one change of our diff, for a pin. */
import type { Change } from '../diff/change.ts'
import type { PinClass } from './pin.ts'

/** Rules about how a schema is written; they are proved to change nothing unless a verdict says otherwise. */
const forms: ReadonlySet<string> = new Set([
  'generator-form',
  'generator-dialect',
  'generator-bounds',
  'enum-form',
])

/** Notes that validators ignore and a model reads, or sends. */
const notes: ReadonlySet<string> = new Set(['default-added', 'default-changed', 'note-changed'])

/**
 * A change of a schema is plain here: plain-changes.ts finds all others.
 *
 * @param isSame the schemas are only written differently
 */
export function classifyChange(change: Change, isSame: boolean): readonly PinClass[] {
  const { rule, direction, cues = [] } = change
  // Its address is a cue in itself; another text in its place counts as new words.
  const hasCues = cues.length > 0 && rule !== 'generator-dialect'
  if (direction === 'text' || hasCues) return ['changed-text', ...byVerdict(change)]
  if (direction === 'annotation') return [classifyAnnotation(change)]
  if (direction === 'tool' || notes.has(rule)) return ['changed-text']
  // A model may read anything into a schema that is not valid.
  if (isSame) return [change.strict === 'invalid' ? 'undecided' : 'same']
  return [forms.has(rule) ? 'same' : 'compatible', ...byVerdict(change)]
}

/** Returns nothing if every verdict is a proof. */
function byVerdict({ strict, declared, breaksWith, parts, witness, severity }: Change): readonly PinClass[] {
  const verdicts = [strict, declared].filter(each => each !== undefined)
  const found: PinClass[] = []
  if (verdicts.some(each => each === 'unknown' || each === 'invalid')) found.push('undecided')
  const isBreaking = severity === 'breaking' || (declared ?? strict) === 'refuted' || breaksWith !== undefined
  if (isBreaking || parts !== undefined || witness !== undefined) found.push('breaking')
  return found
}

/** MCP assumes these of a tool without the hint. */
const hintDefaults: ReadonlyMap<string, boolean> = new Map([
  ['annotations.readOnlyHint', false],
  ['annotations.destructiveHint', true],
  ['annotations.idempotentHint', false],
  ['annotations.openWorldHint', true],
])

function classifyAnnotation({ rule, path, before, after }: Change): PinClass {
  if (rule === 'safety-lowered') return 'lowered-safety'
  const assumed = hintDefaults.get(path)
  if (assumed !== undefined && (before ?? assumed) === (after ?? assumed)) return 'same'
  // Which of them a server has depends on the revision of the protocol.
  if (rule.startsWith('capability-') || path === 'extra.execution') return 'compatible'
  // A claim of safety makes clients ask less, and other fields may change what a client does.
  return 'changed-text'
}
