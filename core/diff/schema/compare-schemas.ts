/** Compares two versions of one schema: every cause of a difference with its verdict, and the verdict on the whole. */
import type { Budget } from '../../compat/proof-limits.ts'
import { jsonEquals } from '../../json/equality.ts'
import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { callerSchema } from '../../schema/caller-schema.ts'
import { type Dialect, isSince, keywords } from '../../schema/keywords.ts'
import { mapSubschemas } from '../../schema/walk-schema.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import type { ChangePart, Verdict, Witness } from '../change.ts'
import { findCombinations } from './combinations.ts'
import { type Claims, combineCauses, type DecidedCause } from './combine-causes.ts'
import {
  accepts,
  type Containment,
  type ContainmentQuestion,
  decideContainment,
  findRefusal,
  outOfSteps,
} from './containment.ts'
import { EditedSchema, pruned, touchedProperties } from './edited-schema.ts'
import { type Inlined, inlineRefs } from './inline-refs.ts'
import { findFormatInNode, findFormatWitness, witnessReader } from './readable-witness.ts'
import { findRefusedParts } from './refused-parts.ts'
import { type Cause, findCauses } from './walk-pair.ts'

/** One cause, or several that break only together, as a report shows it. */
export interface ComparedCause extends Omit<Cause, 'edits' | 'brief' | 'node' | 'nodes'> {
  /** Absent if validators ignore what changed. */
  readonly containment?: Omit<Claims, 'witness'>
  readonly witness?: Witness
  /** For a format: a value that fails if formats are checked. */
  readonly formatWitness?: Witness
  readonly refusedAt?: readonly string[]
  /** The other changes that break only together with this one. */
  readonly parts?: readonly ChangePart[]
  /** The combined changes that include this one. */
  readonly breaksWith?: readonly string[]
}

export interface SchemaComparison {
  readonly causes: readonly ComparedCause[]
  readonly whole: Omit<Containment, 'witness'>
  /** The breaking values that the causes do not account for, with an example if one was found. */
  readonly rest?: { readonly reason: string; readonly witness?: Witness }
}

/**
 * Inputs are contravariant (the new schema must accept what the old one accepted), outputs covariant (the old schema
 * must have allowed what the new one gives). Each cause is decided with only that change made to the inner side; then
 * changes that break only together are searched until every breaking value is accounted for.
 */
export function compareSchemas(
  before: JsonSchema,
  after: JsonSchema,
  direction: 'input' | 'output',
  budget: Budget,
): SchemaComparison {
  const { question, pair } = readPair(before, after, direction, budget)
  const whole = decideContainment(question, { isWhole: true })
  const causes = pair ? findCauses(...pair, direction) : []
  const { decided, rest } = decideCauses(causes, question, whole, pair)
  const acceptedBy: Witness['acceptedBy'] = direction === 'input' ? 'before' : 'after'
  const line = pair
    ? lineMaker(question, pair, decided, acceptedBy)
    : (one: DecidedCause) => compared(one, acceptedBy)
  const assumed = direction === 'input' ? assumedDefaults(before, after, causes) : []
  const isAssumed = new Set(assumed.map(({ path }) => path))
  const lines = decided
    .map(line)
    .filter(({ rule, path }) => rule !== 'property-added' || !isAssumed.has(path))
  return {
    causes: [...lines, ...assumed],
    whole: omitWitness(whole),
    ...(rest && {
      rest: { reason: rest.reason, ...(rest.refusal && { witness: { ...rest.refusal, acceptedBy } }) },
    }),
  }
}

/**
 * Returns a function that makes the line of one cause, with a readable witness and what only sample values can show.
 */
function lineMaker(
  question: ContainmentQuestion,
  pair: readonly [Inlined, Inlined],
  decided: readonly DecidedCause[],
  acceptedBy: Witness['acceptedBy'],
): (one: DecidedCause) => ComparedCause {
  const { direction } = question
  const edited = new EditedSchema(pair, direction)
  const makeReadable = witnessReader({ question, root: pair[direction === 'input' ? 0 : 1].root })
  const isOnly = decided.filter(({ cause }) => cause.edits.length > 0).length === 1
  return one => {
    const { cause, set = [cause], containment } = one
    const formatWitness =
      cause.rule === 'format-changed'
        ? findFormatWitness(cause, question, edited)
        : containment?.declared === 'proved'
          ? findFormatInNode(cause, question)
          : undefined
    const refusedAt = containment?.declared === 'refuted' ? findRefusedParts(cause, question, pair) : []
    const found = containment?.witness
    const witness = found && makeReadable(found, isOnly ? question.outer : edited.with(set), cause.path)
    return {
      ...compared(one, acceptedBy),
      ...(witness ? { witness: { ...witness, acceptedBy } } : {}),
      ...(refusedAt.length > 0 ? { refusedAt } : {}),
      ...(formatWitness ? { formatWitness: { ...formatWitness, acceptedBy } } : {}),
    }
  }
}

/** Returns the question on the two whole schemas, and both for a walk; no `pair` if references cannot be followed. */
export function readPair(
  before: JsonSchema,
  after: JsonSchema,
  direction: 'input' | 'output',
  budget: Budget,
): { readonly question: ContainmentQuestion; readonly pair: readonly [Inlined, Inlined] | undefined } {
  const [left, right] = direction === 'input' ? inputViews(before, after) : [before, after]
  const question: ContainmentQuestion =
    direction === 'input'
      ? {
          inner: [...new Set([asObject(before), left])],
          outer: right,
          // If the caller's view refuses more (`required` in a `oneOf`), the schema as written decides.
          ...(callerSchema(after) === after ? {} : { orOuter: [asObject(after)] }),
          direction,
          budget,
        }
      : { inner: [after], outer: before, direction, budget }
  return { question, pair: inlineBoth(left, right) }
}

interface Decided {
  readonly decided: readonly DecidedCause[]
  readonly rest?: { readonly reason: string; readonly refusal?: Containment['witness'] }
}

function decideCauses(
  causes: readonly Cause[],
  question: ContainmentQuestion,
  whole: Containment,
  pair: readonly [Inlined, Inlined] | undefined,
): Decided {
  const withEdits = causes.filter(cause => cause.edits.length > 0)
  // A proof for all changes together also holds for each change, since they are released together.
  const isDecided = whole.strict === 'proved' || whole.strict === 'invalid'
  const edited = pair && new EditedSchema(pair, question.direction)
  const [first, ...others] = withEdits
  const isOnly = first !== undefined && others.length === 0 && explains(first, whole, question, edited)
  if (isDecided || isOnly)
    return {
      decided: causes.map(cause => (cause.edits.length > 0 ? { cause, containment: whole } : { cause })),
    }
  const isRefuted = whole.strict === 'refuted'
  if (withEdits.length === 0 || edited === undefined) {
    const rest = { reason: 'its parts cannot be compared one by one', refusal: whole.witness }
    return { decided: causes.map(cause => ({ cause })), ...(isRefuted ? { rest } : {}) }
  }
  const decide = (set: readonly Cause[]) => decideSet(set, question, whole, edited)
  const own = new Map(withEdits.map(cause => [cause, decide([cause])] as const))
  const combinations = findCombinations({ question, edited, whole, own, decide })
  const decided = combineCauses(causes, own, combinations)
  const isNamed = decided.some(({ containment }) => containment?.declared === 'refuted')
  const { incomplete: reason, unexplained } = combinations
  // The whole is known to break callers, so the report says so even if the steps ended before a change was found.
  const refusal = unexplained ?? (whole.declared === 'refuted' && !isNamed ? whole.witness : undefined)
  return { decided, ...(reason === undefined ? {} : { rest: { reason, ...(refusal && { refusal }) } }) }
}

/** Whether this one change refuses the witness on the whole. If not, no rule covers the difference. */
function explains(
  cause: Cause,
  { witness }: Containment,
  { budget }: ContainmentQuestion,
  edited: EditedSchema | undefined,
): boolean {
  return !witness || !edited || !accepts(witness.value, edited.with([cause]), budget)
}

/**
 * Decides what these changes break: values that the inner side accepts only without them, and the outer side refuses.
 */
function decideSet(
  causes: readonly Cause[],
  question: ContainmentQuestion,
  whole: Containment,
  edited: EditedSchema,
): Containment {
  // To edit a large schema takes longer than to ask about it.
  if (question.budget.left <= 0) {
    const declared = whole.declared === 'proved' ? 'proved' : 'unknown'
    return { strict: 'unknown', declared, reason: outOfSteps }
  }
  const document = edited.with(causes)
  let decided = decideAlone(causes, document, question)
  let witness = decided.witness && findRefusal(decided.witness.value, question.outer, question.budget)
  if (decided.witness && !witness) {
    // Other changes compensate for this witness; look for one that they do not accept.
    decided = decideContainment({ ...question, outer: document }, { orFits: [question.outer] })
    // Keeps the error of the cause's own refusal: the other side may report another error first.
    witness = decided.witness
    if (decided.strict === 'proved')
      decided = { ...decided, reason: 'other changes of the same schema make up for it' }
  } else if (witness) witness = decided.witness
  // `refuted` needs a confirmed value. A document with one of several changes made may be invalid.
  const confirmed = (verdict: Verdict): Verdict =>
    (verdict === 'refuted' && !witness) || verdict === 'invalid' ? 'unknown' : verdict
  return {
    ...omitWitness(decided),
    strict: confirmed(decided.strict),
    declared: whole.declared === 'proved' ? 'proved' : confirmed(decided.declared),
    ...(witness ? { witness } : {}),
  }
}

/** Asks a smaller question first: it has the same answer, and its witness is tried on the whole. */
function decideAlone(
  causes: readonly Cause[],
  document: JsonSchema,
  question: ContainmentQuestion,
): Containment {
  const touched = touchedProperties(causes.flatMap(cause => cause.edits))
  const smaller = touched && pruned([...question.inner, document], touched)
  const outer = smaller?.at(-1)
  if (!smaller || outer === undefined) return decideContainment({ ...question, outer: document })
  const decided = decideContainment({ ...question, inner: smaller.slice(0, -1), outer })
  if (decided.strict === 'proved') return decided
  const { budget, inner } = question
  const { witness } = decided
  const isWitness =
    witness !== undefined &&
    decided.declared !== 'unknown' &&
    inner.some(view => accepts(witness.value, view, budget)) &&
    findRefusal(witness.value, document, budget) !== undefined
  return isWitness ? decided : decideContainment({ ...question, outer: document })
}

function compared(
  { cause, containment, parts, breaksWith }: DecidedCause,
  acceptedBy: Witness['acceptedBy'],
): ComparedCause {
  const { edits: _edits, brief: _brief, node: _node, nodes: _nodes, ...rest } = cause
  const witness = containment?.witness
  return {
    ...rest,
    ...(parts ? { message: [cause.message, ...parts.map(part => part.message)].join('; '), parts } : {}),
    ...(breaksWith ? { breaksWith } : {}),
    ...(containment ? { containment: omitWitness(containment) } : {}),
    ...(witness ? { witness: { ...witness, acceptedBy } } : {}),
  }
}

function omitWitness<Verdicts extends Claims>({
  witness: _,
  ...verdicts
}: Verdicts): Omit<Verdicts, 'witness'> {
  return verdicts
}

/** Returns the schemas as they bind a caller. The new one accepts only objects if the old one does. */
function inputViews(before: JsonSchema, after: JsonSchema): [JsonSchema, JsonSchema] {
  const viewBefore = asObject(callerSchema(before))
  const takesObjects = typeof viewBefore === 'object' && viewBefore.type === 'object'
  return [viewBefore, takesObjects ? asObject(callerSchema(after)) : callerSchema(after)]
}

/**
 * Returns properties that are now required and have a default. The caller's view leaves them out because it assumes
 * that the server fills in the default, so the report states the assumption.
 */
function assumedDefaults(before: JsonSchema, after: JsonSchema, causes: readonly Cause[]): ComparedCause[] {
  if (callerSchema(after) === after) return []
  const pair = inlineBoth(asObject(before), asObject(after))
  if (pair === undefined) return []
  const rules = ['required-added', 'required-property-added']
  const known = new Set(causes.filter(({ rule }) => rules.includes(rule)).map(cause => cause.path))
  return findCauses(...pair, 'input').flatMap(
    ({ edits: _edits, brief: _brief, node: _node, nodes: _nodes, ...cause }) =>
      !rules.includes(cause.rule) || known.has(cause.path)
        ? []
        : [{ ...cause, containment: { strict: 'proved', declared: 'proved', reason: assumption } }],
  )
}

const assumption = 'assuming that the server fills the default in'

/** All supported protocols send an object, so an added `type: object` refuses nothing. */
function asObject(schema: JsonSchema): JsonSchema {
  if (schema === true) return { type: 'object' }
  if (schema === false || Object.hasOwn(schema, 'type') || Object.hasOwn(schema, '$ref')) return schema
  return { type: 'object', ...schema }
}

function inlineBoth(before: JsonSchema, after: JsonSchema): [Inlined, Inlined] | undefined {
  const left = inlineRefs(before, '')
  const right = inlineRefs(after, '')
  if (!left || !right) return undefined
  const marked = jsonEquals(left.definitions, right.definitions) ? right : inlineRefs(after, '.new')
  if (!marked) return undefined
  return left.dialect === marked.dialect ? [left, marked] : [upgradeDialect(left), upgradeDialect(marked)]
}

/*
 * Rewrites a schema of an older draft in 2020-12, so that two sides of different drafts can be compared node by node.
 * Sources: the release notes of the drafts (https://json-schema.org/specification-links).
 */

const target = '2020-12'

/** Returns the side in 2020-12; `$schema` stays as written. */
function upgradeDialect(side: Inlined): Inlined {
  const { dialect, root, definitions } = side
  if (dialect === target) return side
  return {
    ...side,
    dialect: target,
    root: upgraded(root, dialect),
    definitions: Object.fromEntries(
      Object.entries(definitions).map(([name, schema]) => [name, upgraded(schema, dialect)]),
    ),
  }
}

function upgraded(schema: unknown, from: Dialect): unknown {
  if (!isObject(schema)) return schema
  const node = mapSubschemas(schema, part => upgraded(part, from))
  const known = Object.entries(node).filter(([keyword]) => {
    const { since, role } = keywords.get(keyword) ?? {}
    // The older draft ignores keywords that a later draft added.
    return role !== 'validation' || since === undefined || isSince(from, since)
  })
  return withBounds(withTuple(Object.fromEntries(known)), from)
}

/** Up to 2019-09, an array in `items` meant `prefixItems`, and `additionalItems` meant the remaining items. */
function withTuple(node: UnknownObject): UnknownObject {
  const { items, additionalItems, ...rest } = node
  if (!Array.isArray(items)) return items === undefined ? rest : { ...rest, items }
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) }
}

/** In draft 4, an exclusive limit is a flag next to the limit. */
function withBounds(node: UnknownObject, from: Dialect): UnknownObject {
  if (from !== 'draft-04') return node
  let result = node
  for (const [limit, flag] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const { [limit]: value, [flag]: isExclusive, ...rest } = result
    if (typeof isExclusive !== 'boolean') continue
    const bound = own(result, limit) === undefined ? {} : { [isExclusive ? flag : limit]: value }
    result = { ...rest, ...bound }
  }
  return result
}
