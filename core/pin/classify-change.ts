/** The classes of one change of our diff, for a pin. */
import type { Change } from '../diff/change.ts'
import { areArrangedAlike } from './arrange-texts.ts'
import type { PinClass } from './pin.ts'
import type { SchemaMeaning } from './schema-meaning.ts'

/** Rules about how a schema is written; they are proved to change nothing unless a verdict says otherwise. */
const forms: ReadonlySet<string> = new Set([
  'generator-form',
  'generator-dialect',
  'generator-bounds',
  'enum-form',
])

/** Rules that only say what is accepted besides, within the approved kind of data. Bounds are listed by their words. */
const bounded: ReadonlySet<string> = new Set([
  'required-removed',
  'enum-values-added',
  'enum-values-removed',
  'enum-value-renamed',
  'enum-added',
  'null-added',
  'null-removed',
  'type-narrowed',
  'additional-properties-closed',
  'unique-items-changed',
  'multiple-of-changed',
])

const boundRule = /^(?:min|max)[a-z-]*-(?:set|added|removed|raised|lowered|changed)$/
/** A limit of size that is gone, or much higher, lets much more data through. */
const sizeRule = /^max-(?:length|items|properties)-(removed|raised|changed)$/
const maxFactor = 10

const asksForData: ReadonlySet<string> = new Set([
  'property-added',
  'required-property-added',
  'required-added',
  'property-renamed',
  'schema-described',
  'schema-undescribed',
  'additional-properties-opened',
])

/** Nothing is known about the parts of these. */
const wholes: ReadonlySet<string> = new Set(['schema-invalid', 'schema-changed'])

/** Our diff does not compare the parts of these one by one. */
const unwalked: ReadonlySet<string> = new Set(['combination-changed', 'items-changed'])

/** Notes that validators ignore and a model reads, or sends. */
const notes: ReadonlySet<string> = new Set(['default-added', 'default-changed', 'note-changed'])

/** A limit that says that no property is optional. */
const countRule = /^min-properties-(?:added|raised)$/

export function classifyChange(
  change: Change,
  { isEquivalent, isNarrower, isMonotone, isDataGone }: SchemaMeaning,
): readonly PinClass[] {
  const { rule, direction, cues = [] } = change
  // Its address is a cue in itself; another text in its place counts as new words.
  const hasCues = cues.length > 0 && rule !== 'generator-dialect'
  if (direction === 'text' || hasCues) return ['changed-text', ...byVerdict(change)]
  if (direction === 'annotation') return [classifyAnnotation(change)]
  if (direction === 'tool') return ['changed-text']
  if (direction === 'output') {
    if (notes.has(rule)) return ['changed-text']
    return [forms.has(rule) ? 'same' : 'compatible', ...byVerdict(change)]
  }
  const verdicts = byVerdict(change)
  if (notes.has(rule)) return ['changed-text']
  if (wholes.has(rule) && verdicts.includes('undecided')) return verdicts
  if (asksForData.has(rule) || countRule.test(rule)) return ['wider-input', ...verdicts]
  // It has no cause that our diff found, so only a proof in both directions says that nothing is wider.
  if (rule === 'generator-form' && !isEquivalent) return ['wider-input', ...verdicts]
  if (forms.has(rule) && verdicts.length === 0) return ['same']
  if (isEquivalent) {
    const isMoved = unwalked.has(rule) && !areArrangedAlike(change.before, change.after)
    if (verdicts.length === 0 || isMoved) return [isMoved ? 'changed-text' : 'same', ...verdicts]
    return verdicts
  }
  if (isMuchLarger(change)) return ['wider-input', ...verdicts]
  if (rule === 'deprecated-changed') return ['compatible']
  const isRemoved = rule === 'property-removed' && (isNarrower || isDataGone)
  const isBounded =
    isRemoved || bounded.has(rule) || boundRule.test(rule) || isAlternativeRemoved(change, isNarrower)
  if (isBounded && !isMonotone) return ['wider-input', ...verdicts]
  if (verdicts.length > 0 && isBounded) return verdicts
  return isBounded ? ['compatible'] : ['wider-input', ...verdicts]
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

/** A part of `allOf` that was removed lets more values through. */
const isAlternativeRemoved = ({ rule, message }: Change, isNarrower: boolean) =>
  rule === 'variant-removed' && (isNarrower || /^(?:\d+ )?alternatives? removed/.test(message))

function isMuchLarger({ rule, before, after }: Change): boolean {
  const way = sizeRule.exec(rule)?.[1]
  if (way === undefined) return false
  return typeof before !== 'number' || typeof after !== 'number' || after > before * maxFactor
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
