/** Two versions of one schema: every cause of a difference with its own verdict, and the verdict on the whole. */

import type { Budget } from '../../compat/limits.ts'
import { jsonEquals } from '../../json/equality.ts'
import { isObject } from '../../json/json.ts'
import { callerSchema } from '../../json-schema/caller-schema.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import type { Verdict, Witness } from '../change.ts'
import type { Steps } from '../rules/schema-rule.ts'
import { type Inlined, inlineRefs, toDocument } from './inline-refs.ts'
import { type Asked, isTaken, type Judgement, judge, refusal, type Views } from './judge.ts'
import { pruned, touchedProperties } from './prune.ts'
import { type Cause, findCauses } from './walk.ts'

export interface JudgedCause extends Omit<Cause, 'edits'> {
  /** Absent where no validator reads what changed. */
  readonly judgement?: Omit<Judgement, 'witness'>
  readonly witness?: Witness
}

export interface Comparison {
  readonly causes: readonly JudgedCause[]
  readonly whole: Omit<Judgement, 'witness'>
  /** A counterexample to the whole, where no cause accounts for it. */
  readonly unexplained?: Witness
}

interface Question extends Asked {
  /** The side whose values must still be taken. */
  readonly inner: Views
  readonly outer: JsonSchema
}

/**
 * Inputs are contravariant (what the old schema took, the new must take), outputs covariant (what the new one
 * gives, the old must have allowed). A cause is judged by a document that differs from the inner side by that
 * cause alone, and its witness is then checked against the other original.
 */
export function compareSchemas(
  before: JsonSchema,
  after: JsonSchema,
  direction: 'input' | 'output',
  budget: Budget,
): Comparison {
  const [old, young] = direction === 'input' ? inputViews(before, after) : [before, after]
  const question: Question =
    direction === 'input'
      ? { inner: [...new Set([asObject(before), old])], outer: young, direction, budget }
      : { inner: [after], outer: before, direction, budget }
  const whole = judge(question.inner, question.outer, question, true)
  const pair = inlineBoth(old, young)
  const causes = pair ? findCauses(...pair, direction) : []
  const isOnly = causes.filter(cause => cause.edits.length > 0).length === 1
  const judged = causes.map(cause =>
    isOnly && cause.edits.length > 0
      ? onlyCause(cause, whole, direction)
      : judgeCause(cause, question, whole, pair),
  )
  const { witness, ...verdicts } = whole
  const explained = judged.some(
    one => one.witness && (whole.declared !== 'refuted' || one.judgement?.declared === 'refuted'),
  )
  return {
    causes: direction === 'input' ? [...judged, ...assumedDefaults(before, after, causes)] : judged,
    whole: verdicts,
    ...(witness && !explained ? { unexplained: { ...witness, acceptedBy: acceptedBy(direction) } } : {}),
  }
}

/** The schemas as they bind a caller. The new one is taken for an object's where the old one is. */
function inputViews(before: JsonSchema, after: JsonSchema): [JsonSchema, JsonSchema] {
  const old = asObject(callerSchema(before))
  const takesObjects = typeof old === 'object' && old.type === 'object'
  return [old, takesObjects ? asObject(callerSchema(after)) : callerSchema(after)]
}

/**
 * Properties that must be there now and have a default. The views of a caller leave them out: whether the server fills the
 * default in is assumed, so it is said.
 */
function assumedDefaults(before: JsonSchema, after: JsonSchema, causes: readonly Cause[]): JudgedCause[] {
  if (callerSchema(after) === after) return []
  const pair = inlineBoth(asObject(before), asObject(after))
  if (pair === undefined) return []
  const known = new Set(causes.filter(cause => cause.rule === 'required-added').map(cause => cause.path))
  return findCauses(...pair, 'input').flatMap(({ edits: _, ...cause }) =>
    cause.rule !== 'required-added' || known.has(cause.path)
      ? []
      : [{ ...cause, judgement: { strict: 'proved', declared: 'proved', reason: assumption } }],
  )
}

const assumption = 'assuming that the server fills the default in'

/** Every protocol that we read sends an object: a schema that does not say so refuses nothing by saying it. */
function asObject(schema: JsonSchema): JsonSchema {
  if (schema === true) return { type: 'object' }
  if (schema === false || Object.hasOwn(schema, 'type') || Object.hasOwn(schema, '$ref')) return schema
  return { type: 'object', ...schema }
}

/** Where there is one cause, the verdict on the whole is its own. */
function onlyCause(
  { edits: _, ...cause }: Cause,
  whole: Judgement,
  direction: 'input' | 'output',
): JudgedCause {
  const witness = whole.witness && { ...whole.witness, acceptedBy: acceptedBy(direction) }
  return { ...cause, judgement: verdictsOf(whole), ...(witness ? { witness } : {}) }
}

function acceptedBy(direction: 'input' | 'output'): Witness['acceptedBy'] {
  return direction === 'input' ? 'before' : 'after'
}

function inlineBoth(before: JsonSchema, after: JsonSchema): [Inlined, Inlined] | undefined {
  const left = inlineRefs(before, '')
  const right = inlineRefs(after, '')
  if (!left || !right) return undefined
  if (jsonEquals(left.definitions, right.definitions)) return [left, right]
  const marked = inlineRefs(after, '.new')
  return marked ? [left, marked] : undefined
}

function judgeCause(
  cause: Cause,
  question: Question,
  whole: Judgement,
  pair: readonly [Inlined, Inlined] | undefined,
): JudgedCause {
  const { edits, ...rest } = cause
  if (edits.length === 0 || !pair) return rest
  // What is proved for all changes together is proved for each: nobody meets one of them alone.
  if (whole.strict === 'proved' || whole.strict === 'invalid')
    return { ...rest, judgement: verdictsOf(whole) }
  const alone = editedDocument(cause, question, pair)
  let judged = judgeAlone(cause, alone, question)
  // The words of the cause's own refusal: the other original may first complain about something else.
  let refused =
    judged.witness && refusal(judged.witness.value, question.outer, question.budget)
      ? judged.witness
      : undefined
  if (judged.witness && !refused && pair[0].dialect === pair[1].dialect) {
    // The other changes make up for this witness; is there one that they do not save?
    judged = judge(question.inner, either(alone, pair, question), question)
    const refusedNow = judged.witness && refusal(judged.witness.value, question.outer, question.budget)
    refused = judged.witness && refusedNow ? { ...judged.witness, ...refusedNow } : undefined
    if (judged.strict === 'proved')
      judged = { ...judged, reason: 'other changes of the same schema make up for it' }
  }
  // Nothing is called refuted that no confirmed value shows.
  // A document with one change of several may be of no dialect at all.
  const confirmed = (verdict: Verdict): Verdict =>
    (verdict === 'refuted' && !refused) || verdict === 'invalid' ? 'unknown' : verdict
  const judgement = {
    ...verdictsOf(judged),
    strict: confirmed(judged.strict),
    declared: whole.declared === 'proved' ? ('proved' as const) : confirmed(judged.declared),
  }
  if (!judged.witness || !refused) return { ...rest, judgement }
  const witness = { ...refused, acceptedBy: acceptedBy(question.direction) }
  return { ...rest, judgement, witness }
}

/** Asks a smaller question first: it has the same answer, and its witness is tried on the whole. */
function judgeAlone(cause: Cause, alone: JsonSchema, question: Question): Judgement {
  const touched = touchedProperties(cause.edits)
  const smaller = touched && pruned([...question.inner, alone], touched)
  const outer = smaller?.at(-1)
  if (!smaller || outer === undefined) return judge(question.inner, alone, question)
  const judged = judge(smaller.slice(0, -1), outer, question)
  if (judged.strict === 'proved') return judged
  const { budget, inner } = question
  const isWitness =
    judged.witness !== undefined &&
    judged.declared !== 'unknown' &&
    inner.some(view => isTaken(judged.witness?.value, view, budget))
  return isWitness ? judged : judge(inner, alone, question)
}

function verdictsOf({ strict, declared, reason }: Judgement): Omit<Judgement, 'witness'> {
  return { strict, declared, ...(reason === undefined ? {} : { reason }) }
}

/** The inner side with this one change made (inputs) or the new side with it taken back (outputs). */
function editedDocument(cause: Cause, question: Question, pair: readonly [Inlined, Inlined]): JsonSchema {
  const [before, after] = pair
  const isInput = question.direction === 'input'
  const base = isInput ? before : after
  let document: unknown = toDocument(base.root, base.dialect, before.definitions, after.definitions)
  for (const edit of cause.edits)
    document = isInput
      ? setAt(document, edit.before, edit.forward)
      : setAt(document, edit.after, edit.backward)
  // An edit of the root itself has taken the definitions away.
  return toDocument(document, base.dialect, before.definitions, after.definitions)
}

/** Takes what either the edited document or the outer side takes: a value that it refuses is refused by both. */
function either(alone: JsonSchema, pair: readonly [Inlined, Inlined], question: Question): JsonSchema {
  const outer = question.direction === 'input' ? pair[1] : pair[0]
  if (!isObject(alone)) return alone
  const { $defs, $schema, ...root } = alone as { $defs?: unknown; $schema?: unknown }
  const inner = isObject(outer.root) ? withoutDialect(outer.root) : outer.root
  return {
    ...($schema === undefined ? {} : { $schema }),
    anyOf: [root, inner],
    ...($defs === undefined ? {} : { $defs }),
  }
}

function withoutDialect(root: object): unknown {
  return Object.fromEntries(
    Object.entries(root).filter(([keyword]) => keyword !== '$schema' && keyword !== '$id'),
  )
}

/** The document with `value` at `steps`; `undefined` takes the place away. Objects on the way are made where missing. */
function setAt(document: unknown, steps: Steps, value: unknown): unknown {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (Array.isArray(document)) {
    const at = Number(step)
    const changed = setAt(document[at], rest, value)
    return changed === undefined ? document.toSpliced(at, 1) : document.with(at, changed)
  }
  const node = isObject(document) ? document : {}
  const name = String(step)
  const inner = Object.hasOwn(node, name) ? node[name] : undefined
  // An empty map is not needed to take something out of nothing.
  const changed = inner === undefined && value === undefined ? undefined : setAt(inner, rest, value)
  const others = Object.entries(node).filter(([key]) => key !== name)
  return Object.fromEntries(changed === undefined ? others : [...others, [name, changed]])
}
