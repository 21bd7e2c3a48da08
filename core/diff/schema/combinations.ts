/**
 * Finds changes that break only together. What each change breaks by itself is known. If a value is refused by the
 * outer side but breaks none of the single changes, several changes refuse it; a smallest set of them is one
 * combination.
 */

import { OutOfBudget } from '../../compat/proof-limits.ts'
import type { Json } from '../../json/json.ts'
import { consumerSchema } from '../../schema/caller-schema.ts'
import { createSchemaValidator } from '../../validation/schema-validator.ts'
import {
  ask,
  type Containment,
  type ContainmentQuestion,
  decideContainment,
  type Mode,
  modes,
  type RefusedValue,
} from './containment.ts'
import type { EditedSchema } from './edited-schema.ts'
import type { Cause } from './walk-pair.ts'

export interface Combination {
  /** Has one cause only if the cause's own question was too large to decide. */
  readonly causes: readonly Cause[]
  readonly containment: Containment
}

export interface Combinations {
  readonly found: readonly Combination[]
  /** Why some breaking values may be unaccounted for; absent if all are accounted for. */
  readonly incomplete?: string
  /** A value that no set of changes accounts for. */
  readonly unexplained?: RefusedValue
}

/** Maximum combinations of one pair of schemas; the report says if some are missing. */
const maxCombinations = 60
/** Maximum pairs that are tried first. Other combinations are found from values that fail. */
const maxPairs = 100

export interface CombinationSubject {
  readonly question: ContainmentQuestion
  readonly edited: EditedSchema
  /** The verdict on the two whole schemas. */
  readonly whole: Containment
  /** Every change with edits, and what it breaks by itself. */
  readonly own: ReadonlyMap<Cause, Containment>
  /** Decides what several changes break together. */
  readonly decide: (causes: readonly Cause[]) => Containment
}

/**
 * Accounts for every value that the outer side refuses, in both modes (a containment proof that none is left), or says
 * that it could not. Uses the question's budget.
 */
export function findCombinations(subject: CombinationSubject): Combinations {
  const found = likelyPairs(subject)
  let incomplete: string | undefined
  for (const mode of modes) {
    if (subject.whole[mode] === 'proved') continue
    const rest = accountFor(mode, subject, found)
    if (rest === undefined) continue
    incomplete ??= rest.reason
    if (rest.refusal) return { found, incomplete, unexplained: rest.refusal }
  }
  return { found, ...(incomplete === undefined ? {} : { incomplete }) }
}

interface Rest {
  readonly reason: string
  readonly refusal?: RefusedValue
}

/** Adds to `found` until nothing is left. @returns what could not be accounted for */
function accountFor(mode: Mode, subject: CombinationSubject, found: Combination[]): Rest | undefined {
  const { question, edited, own } = subject
  const causes = [...own.keys()]
  const known = [
    ...causes.filter(cause => own.get(cause)?.[mode] === 'refuted').map(cause => [cause]),
    ...found.filter(({ containment }) => containment[mode] === 'refuted').map(one => one.causes),
  ].map(set => edited.with(set))
  if (subject.whole[mode] === 'unknown' && known.length === 0)
    return { reason: subject.whole.reason ?? 'the two schemas as a whole are undecided' }
  for (;;) {
    const left = ask(question, mode, { alsoFits: known, isWhole: true })
    if (left.verdict === 'proved') return undefined
    if (left.verdict !== 'refuted') return { reason: left.reason }
    const refusal = { value: left.witness, path: left.path, error: left.error.message }
    const set = smallestSet(causes, refuses(refusal.value, mode, subject))
    if (set === undefined) return { reason: 'the changes that were found do not account for it', refusal }
    if (found.length >= maxCombinations)
      return { reason: `more than ${maxCombinations} combinations of changes`, refusal }
    const document = edited.with(set)
    found.push({ causes: set, containment: { ...decideVerdicts(mode, subject, set), witness: refusal } })
    known.push(document)
  }
}

/** The witness breaks in `mode`; a change that breaks senders of declared fields breaks all senders. */
function decideVerdicts(
  mode: Mode,
  { whole, decide }: CombinationSubject,
  set: readonly Cause[],
): Omit<Containment, 'witness'> {
  if (mode === 'declared') return { strict: 'refuted', declared: 'refuted' }
  return { strict: 'refuted', declared: whole.declared === 'proved' ? 'proved' : decide(set).declared }
}

/**
 * Tries pairs that often break together first, so that each is named even if another change makes every value fail: an
 * object is closed and a property is no longer listed (for an output: it is opened and one is added), or two changes of
 * one node's logic.
 */
function likelyPairs({ own, question, edited, whole, decide }: CombinationSubject): Combination[] {
  if (whole.strict === 'proved') return []
  const causes = [...own.keys()]
  const isSafe = (cause: Cause, mode: Mode) => own.get(cause)?.[mode] === 'proved'
  const mayBreakStrictly = (first: Cause, second: Cause) =>
    (isSafe(first, 'strict') || isSafe(second, 'strict')) && question.direction === 'output'
  const found: Combination[] = []
  let pairCount = 0
  for (const [at, first] of causes.entries())
    for (const second of causes.slice(at + 1)) {
      if (!areRelated(first, second)) continue
      pairCount += 1
      if (pairCount > maxPairs) return found
      const areSafe = isSafe(first, 'declared') && isSafe(second, 'declared')
      if (whole.declared !== 'proved' && areSafe) {
        const containment = decide([first, second])
        if (containment.declared === 'refuted') found.push({ causes: [first, second], containment })
        if (containment.declared === 'refuted' || !mayBreakStrictly(first, second)) continue
      } else if (
        !mayBreakStrictly(first, second) &&
        !isSafe(first, 'declared') &&
        !isSafe(second, 'declared')
      )
        continue
      const [outer, ...alsoFits] = [[first, second], [first], [second]].map(set => edited.with(set))
      if (outer === undefined) continue
      const options = { orFits: [question.outer], alsoFits }
      const containment = decideContainment({ ...question, outer }, options)
      if (containment.strict === 'refuted') found.push({ causes: [first, second], containment })
    }
  return found
}

/** Whether the two changes affect one node in ways that depend on each other. */
function areRelated(first: Cause, second: Cause): boolean {
  const pairs = [[first, second] as const, [second, first] as const]
  return pairs.some(([one, other]) => {
    if (!logicRules.has(one.rule)) return false
    const isListing = closingRules.has(one.rule) && listingRules.has(other.rule)
    if (!isListing && !logicRules.has(other.rule)) return false
    const nodes = one.edits.map(({ before }) => before.slice(0, -1).join('/'))
    const depth = isListing ? -2 : -1
    // `unevaluatedProperties` also depends on what the parts of its node list.
    const isUnder = (node: string) =>
      nodes.some(each => each === node || (one.rule === 'unevaluated-changed' && node.startsWith(each)))
    return other.edits.some(({ before }) => isUnder(before.slice(0, depth).join('/')))
  })
}

const listingRules: ReadonlySet<string> = new Set([
  'property-removed',
  'property-renamed',
  'property-added',
  'required-property-added',
])
const closingRules: ReadonlySet<string> = new Set([
  'additional-properties-closed',
  'additional-properties-opened',
  'additional-properties-changed',
  'pattern-properties-changed',
  'unevaluated-changed',
])
const logicRules: ReadonlySet<string> = new Set([
  ...closingRules,
  'property-names-changed',
  'dependent-changed',
  'contains-changed',
  'variant-added',
  'variant-removed',
  'null-added',
  'null-removed',
  'not-changed',
  'condition-changed',
])

/** Whether the inner side refuses the value with these changes made; false if undecided. */
function refuses(
  value: unknown,
  mode: Mode,
  { question, edited }: CombinationSubject,
): (causes: readonly Cause[]) => boolean {
  const { budget, direction } = question
  return causes => {
    budget.step(1 + causes.length)
    const document = edited.with(causes)
    const read = mode === 'declared' && direction === 'output' ? consumerSchema(document) : document
    const validate = createSchemaValidator(read, { budget, assertsFormats: false })
    return validate(value as Json).verdict === 'invalid'
  }
}

/**
 * Returns a set of which no part suffices (QuickXplain: Junker, "Preferred Explanations and Relaxations", 2004).
 * Changes that compensate for others can mislead it; then parts are dropped one by one. Returns `undefined` if all
 * together do not suffice.
 */
function smallestSet(
  causes: readonly Cause[],
  suffice: (causes: readonly Cause[]) => boolean,
): readonly Cause[] | undefined {
  try {
    if (!suffice(causes)) return undefined
    const quick = explain([], causes, false, suffice)
    return withoutSpare(suffice(quick) ? quick : causes, suffice)
  } catch (thrown) {
    if (thrown instanceof OutOfBudget) return undefined
    throw thrown
  }
}

function explain(
  background: readonly Cause[],
  candidates: readonly Cause[],
  isGrown: boolean,
  suffice: (causes: readonly Cause[]) => boolean,
): readonly Cause[] {
  if (isGrown && suffice(background)) return []
  if (candidates.length <= 1) return candidates
  const middle = Math.floor(candidates.length / 2)
  const [first, second] = [candidates.slice(0, middle), candidates.slice(middle)]
  const inSecond = explain([...background, ...first], second, true, suffice)
  const inFirst = explain([...background, ...inSecond], first, inSecond.length > 0, suffice)
  return [...inFirst, ...inSecond]
}

function withoutSpare(
  causes: readonly Cause[],
  suffice: (causes: readonly Cause[]) => boolean,
): readonly Cause[] {
  let current = causes
  for (const cause of causes) {
    const fewer = current.filter(each => each !== cause)
    if (fewer.length > 0 && suffice(fewer)) current = fewer
  }
  return current
}
