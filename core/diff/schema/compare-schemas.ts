/** Two versions of one schema: every cause of a difference with its own verdict, and the verdict on the whole. */
import type { Budget } from '../../compat/limits.ts'
import { jsonEquals } from '../../json/equality.ts'
import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { callerSchema } from '../../schema/caller-schema.ts'
import { type Dialect, isSince, keywords } from '../../schema/keywords.ts'
import { mapSubschemas } from '../../schema/walk.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import type { ChangePart, Verdict, Witness } from '../change.ts'
import { findCombinations } from './combinations.ts'
import { type Claims, combineCauses, type DecidedCause } from './combine-causes.ts'
import { accepts, type Containment, decideContainment, findRefusal, type Question } from './containment.ts'
import { EditedSchema } from './edited-schema.ts'
import { findFormatInNode, findFormatWitness } from './format-witness.ts'
import { type Inlined, inlineRefs } from './inline-refs.ts'
import { pruned, touchedProperties } from './prune.ts'
import { witnessReader } from './readable-witness.ts'
import { findRefusedParts } from './refused-parts.ts'
import { type Cause, findCauses } from './walk.ts'

/** A cause, or several that break only together, as a report shows it. */
export interface ComparedCause extends Omit<Cause, 'edits' | 'brief' | 'node' | 'nodes'> {
  /** Absent where no validator reads what changed. */
  readonly containment?: Omit<Claims, 'witness'>
  readonly witness?: Witness
  /** For a format: a value that fails where formats are checked. */
  readonly formatWitness?: Witness
  readonly refusedAt?: readonly string[]
  /** The other changes that break only together with this one. */
  readonly parts?: readonly ChangePart[]
  /** The combined changes that this one is a part of. */
  readonly breaksWith?: readonly string[]
}

export interface Comparison {
  readonly causes: readonly ComparedCause[]
  readonly whole: Omit<Containment, 'witness'>
  /** What the causes do not account for, with a value where one was found. */
  readonly rest?: { readonly reason: string; readonly witness?: Witness }
}

/**
 * Inputs are contravariant (what the old schema accepted, the new one must accept), outputs covariant (what the new one
 * gives, the old one must have allowed). A cause is decided by the inner side with that change alone; then changes that
 * break only together are looked for, until every value that breaks is accounted for.
 */
export function compareSchemas(
  before: JsonSchema,
  after: JsonSchema,
  direction: 'input' | 'output',
  budget: Budget,
): Comparison {
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
    whole: verdictsOf(whole),
    ...(rest && {
      rest: { reason: rest.reason, ...(rest.refusal && { witness: { ...rest.refusal, acceptedBy } }) },
    }),
  }
}

/** Makes the line of one cause: with a readable witness, and what only values can show. */
function lineMaker(
  question: Question,
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

/** The question on the two whole schemas, and the two side by side; no `pair` where references cannot be followed. */
export function readPair(
  before: JsonSchema,
  after: JsonSchema,
  direction: 'input' | 'output',
  budget: Budget,
): { readonly question: Question; readonly pair: readonly [Inlined, Inlined] | undefined } {
  const [left, right] = direction === 'input' ? inputViews(before, after) : [before, after]
  const question: Question =
    direction === 'input'
      ? {
          inner: [...new Set([asObject(before), left])],
          outer: right,
          // Where a view of the caller refuses more (`required` in a `oneOf`), the schema as written decides.
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
  question: Question,
  whole: Containment,
  pair: readonly [Inlined, Inlined] | undefined,
): Decided {
  const withEdits = causes.filter(cause => cause.edits.length > 0)
  // What is proved for all changes together is proved for each: nobody meets one of them alone.
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
  // That the whole breaks callers is known: it is said, also where the steps ended before a change was found.
  const refusal = unexplained ?? (whole.declared === 'refuted' && !isNamed ? whole.witness : undefined)
  return { decided, ...(reason === undefined ? {} : { rest: { reason, ...(refusal && { refusal }) } }) }
}

/** Does the one change refuse the witness on the whole? There may be a difference that no rule speaks of. */
function explains(
  cause: Cause,
  { witness }: Containment,
  { budget }: Question,
  edited: EditedSchema | undefined,
): boolean {
  return !witness || !edited || !accepts(witness.value, edited.with([cause]), budget)
}

/** What these changes break: values that the inner side accepts, and neither it with these changes nor the outer side. */
function decideSet(
  causes: readonly Cause[],
  question: Question,
  whole: Containment,
  edited: EditedSchema,
): Containment {
  const document = edited.with(causes)
  let decided = decideAlone(causes, document, question)
  let witness = decided.witness && findRefusal(decided.witness.value, question.outer, question.budget)
  if (decided.witness && !witness) {
    // Other changes make up for this witness; is there one that they do not save?
    decided = decideContainment({ ...question, outer: document }, { orFits: [question.outer] })
    // The words of the cause's own refusal: the other side may first complain about something else.
    witness = decided.witness
    if (decided.strict === 'proved')
      decided = { ...decided, reason: 'other changes of the same schema make up for it' }
  } else if (witness) witness = decided.witness
  // Nothing is called refuted that no confirmed value shows. A document with one change of several may be invalid.
  const confirmed = (verdict: Verdict): Verdict =>
    (verdict === 'refuted' && !witness) || verdict === 'invalid' ? 'unknown' : verdict
  return {
    ...verdictsOf(decided),
    strict: confirmed(decided.strict),
    declared: whole.declared === 'proved' ? 'proved' : confirmed(decided.declared),
    ...(witness ? { witness } : {}),
  }
}

/** Asks a smaller question first: it has the same answer, and its witness is tried on the whole. */
function decideAlone(causes: readonly Cause[], document: JsonSchema, question: Question): Containment {
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
    ...(containment ? { containment: verdictsOf(containment) } : {}),
    ...(witness ? { witness: { ...witness, acceptedBy } } : {}),
  }
}

function verdictsOf<Verdicts extends Claims>({
  witness: _,
  ...verdicts
}: Verdicts): Omit<Verdicts, 'witness'> {
  return verdicts
}

/** The schemas as they bind a caller. The new one is read as an object's where the old one is. */
function inputViews(before: JsonSchema, after: JsonSchema): [JsonSchema, JsonSchema] {
  const old = asObject(callerSchema(before))
  const takesObjects = typeof old === 'object' && old.type === 'object'
  return [old, takesObjects ? asObject(callerSchema(after)) : callerSchema(after)]
}

/**
 * Properties that are required now and have a default. The views of a caller leave them out: whether the server fills the
 * default in is assumed, so it is said.
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

/** Every protocol that we read sends an object: a schema that does not say so refuses nothing by saying it. */
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
 * A schema of an older draft written in 2020-12, so that two sides of different drafts can be compared node by node. Sources:
 * the release notes of the drafts (https://json-schema.org/specification-links).
 */

const target = '2020-12'

/** The side in 2020-12; `$schema` is left as it is written. */
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
    // What the older draft does not know says nothing there.
    return role !== 'validation' || since === undefined || isSince(from, since)
  })
  return withBounds(withTuple(Object.fromEntries(known)), from)
}

/** Up to 2019-09 a list of `items` was what `prefixItems` is now, and `additionalItems` was the rest. */
function withTuple(node: UnknownObject): UnknownObject {
  const { items, additionalItems, ...rest } = node
  if (!Array.isArray(items)) return items === undefined ? rest : { ...rest, items }
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) }
}

/** In draft 4 an exclusive limit is a flag beside the limit. */
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
