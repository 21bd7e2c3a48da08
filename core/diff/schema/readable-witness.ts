/** Replaces the values of a counterexample with readable ones, and finds values that fail if `format` is checked. */

import type { Budget } from '../../compat/proof-limits.ts'
import { sampleValue } from '../../form/sample.ts'
import { isObject, type Json, own, type UnknownObject } from '../../json/json.ts'
import { pointerSegments, withPart } from '../../json/pointer.ts'
import { allSchemas } from '../../schema/walk-schema.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import { sampleFormat } from '../../validation/sample-format.ts'
import { createSchemaValidator } from '../../validation/schema-validator.ts'
import { isOfFormat } from '../../validation/string-formats.ts'
import { statedText } from '../../validation/text-example.ts'
import { ask, type ContainmentQuestion, findRefusal, type RefusedValue } from './containment.ts'
import type { EditedSchema } from './edited-schema.ts'
import type { Cause } from './walk-pair.ts'

/** Maximum values that are replaced, and levels that are entered. */
const maxValues = 30
const maxLevels = 8

interface WitnessSubject {
  readonly question: ContainmentQuestion
  /** The inner side with inlined references: what its author says about a value. */
  readonly root: unknown
}

/** @returns a function that makes the witness of one change readable */
export function witnessReader({ question, root }: WitnessSubject) {
  const { inner, outer, orOuter = [], budget } = question
  const says = (schema: JsonSchema, verdict: 'valid' | 'invalid') => {
    const validate = createSchemaValidator(schema, { budget, assertsFormats: false })
    return (value: unknown) => validate(value as Json).verdict === verdict
  }
  const accepted = inner.map(view => says(view, 'valid'))
  const refusing = [outer, ...orOuter].map(each => says(each, 'invalid'))
  const refused = (value: unknown) => refusing.every(isInvalid => isInvalid(value))
  /**
   * @param document the inner side with the change made: it refuses the value like the outer side
   * @param path the location of the change; its field comes first
   */
  return (refusal: RefusedValue, document: JsonSchema, path: string): RefusedValue => {
    const refusedHere = document === outer ? refused : says(document, 'invalid')
    const isWitness = (value: unknown) =>
      refused(value) && refusedHere(value) && accepted.some(isValid => isValid(value))
    const { value } = refusal
    const readable = changedFirst(recognisable(value, root, isWitness), [path, refusal.path])
    if (JSON.stringify(readable) === JSON.stringify(value)) return refusal
    return findRefusal(readable, document, budget) ?? refusal
  }
}

function recognisable(value: unknown, root: unknown, isWitness: (value: unknown) => boolean): unknown {
  let whole = value
  for (const { at, current } of [...scalarsIn(value)].slice(0, maxValues)) {
    for (const candidate of candidatesFor(schemasAt(root, at), at, current)) {
      if (candidate === current) break
      const changed = withPart(whole, at, candidate)
      if (!isWitness(changed)) continue
      whole = changed
      break
    }
  }
  return whole
}

/** Returns the author's own values first, then values for the name or the format. Listed values stay as they are. */
function candidatesFor(
  schemas: readonly UnknownObject[],
  at: readonly string[],
  current: unknown,
): unknown[] {
  if (schemas.some(schema => Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'const'))) return []
  const isAlike = (value: unknown) => typeof value === typeof current
  const stated = schemas.flatMap(schema => {
    const examples = own(schema, 'examples')
    const text = statedText(schema)
    // Quoted words of a sentence are not an example.
    const quoted = text !== undefined && /^\S+$/.test(text) ? [text] : []
    return [...(Array.isArray(examples) ? examples : []), own(schema, 'default'), ...quoted]
  })
  if (typeof current !== 'string') return stated.filter(isAlike)
  const formats = schemas.map(schema => sampleFormat(String(own(schema, 'format'))))
  const isMade = current.length < 2
  return [...stated, ...formats, ...(isMade ? [textForName(at.at(-1) ?? ''), 'text'] : [])].filter(isAlike)
}

const textsByName: readonly (readonly [RegExp, string])[] = [
  [/ur[il]s?$|link|href|website/i, 'https://example.com'],
  [/e-?mail/i, 'ada@example.com'],
  [/path|file|folder|directory/i, 'notes.txt'],
  [/date$|day$/i, '2026-01-31'],
]

const textForName = (name: string) => textsByName.find(([pattern]) => pattern.test(name))?.[1]

function* scalarsIn(
  value: unknown,
  at: readonly string[] = [],
): Generator<{ at: readonly string[]; current: unknown }> {
  if (at.length > maxLevels) return
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* scalarsIn(item, [...at, String(index)])
  else if (isObject(value))
    for (const [name, inner] of Object.entries(value)) yield* scalarsIn(inner, [...at, name])
  else yield { at, current: value }
}

/** Returns the schemas that may describe the value at `at`. */
function schemasAt(node: unknown, at: readonly string[], depth = 0): readonly UnknownObject[] {
  if (!isObject(node) || depth > maxLevels) return []
  const branches = ['allOf', 'anyOf', 'oneOf'].flatMap(keyword => {
    const list = own(node, keyword)
    return Array.isArray(list) ? list.flatMap(branch => schemasAt(branch, at, depth + 1)) : []
  })
  const [step, ...rest] = at
  if (step === undefined) return [node, ...branches]
  const properties = own(node, 'properties')
  const named = isObject(properties) ? own(properties, step) : undefined
  return [
    ...schemasAt(named, rest, depth + 1),
    ...schemasAt(own(node, 'items'), rest, depth + 1),
    ...branches,
  ]
}

/** Puts the changed field first on every level that leads to it. */
function changedFirst(value: unknown, paths: readonly string[]): unknown {
  const steps = paths
    .map(pointerSegments)
    .find(([first]) => isObject(value) && first !== undefined && Object.hasOwn(value, first))
  return steps === undefined ? value : movedFirst(value, steps)
}

function movedFirst(value: unknown, [step, ...rest]: readonly string[]): unknown {
  if (step === undefined) return value
  if (Array.isArray(value)) {
    const index = step === '*' ? 0 : Number(step)
    return index < value.length ? value.with(index, movedFirst(value[index], rest)) : value
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return value
  return {
    [step]: movedFirst(value[step], rest),
    ...Object.fromEntries(Object.entries(value).filter(([name]) => name !== step)),
  }
}

const texts = [
  'text',
  'not-a-url',
  '2026-02-30',
  'a b',
  '',
  ...['uri', 'email', 'date', 'uuid'].map(sampleFormat),
]
const numbers = [1.5, 2 ** 31, 2 ** 63, 1e300]

/**
 * Finds a value that fails if `format` is checked. Containment treats `format` as an annotation (JSON Schema Validation
 * §7.2.1), but servers built with zod, Pydantic or ajv-formats refuse such a value. Returns `undefined` if the location
 * allows no such value, or if no validator knows the format.
 */
export function findFormatWitness(
  cause: Cause,
  question: ContainmentQuestion,
  edited: EditedSchema,
): RefusedValue | undefined {
  const isInput = question.direction === 'input'
  const [innerFormat, outerFormat] = isInput ? [cause.before, cause.after] : [cause.after, cause.before]
  if (typeof outerFormat !== 'string') return undefined
  const found = ask({ ...question, outer: withoutScalars(cause, edited), orOuter: [] }, 'declared')
  if (found.verdict !== 'refuted') return undefined
  const at = pointerSegments(found.path)
  const isSent = createSenderCheck(question.inner, question.budget)
  const stated = cause.node && statedText(cause.node)
  for (const candidate of [...(stated === undefined ? [] : [stated]), ...texts, ...numbers]) {
    if (candidate === undefined || isOfFormat(outerFormat, candidate)) continue
    if (typeof innerFormat === 'string' && !isOfFormat(innerFormat, candidate)) continue
    const value = withPart(found.witness, at, candidate)
    if (isSent(value))
      return { value, path: found.path, error: `is not a valid ${outerFormat} if formats are checked` }
  }
  return undefined
}

/**
 * Does the same if a format was added with other alternatives (`string` → `date-time or null`): tries values of the old
 * node. A value counts if both sides accept it, but the outer side only without format checks.
 */
export function findFormatInNode(cause: Cause, question: ContainmentQuestion): RefusedValue | undefined {
  const { nodes, path } = cause
  const { inner, outer, orOuter = [], direction, budget } = question
  const outerNode = direction === 'input' ? nodes?.after : nodes?.before
  if (!nodes || !allSchemas(outerNode).some(({ schema }) => Object.hasOwn(schema, 'format'))) return undefined
  const common = ask({ ...question, outer: false, orOuter: [] }, 'strict', { alsoFits: [outer] })
  if (common.verdict !== 'refuted') return undefined
  const isSent = createSenderCheck(inner, budget)
  const createValidators = (assertsFormats: boolean) =>
    [outer, ...orOuter].map(each => createSchemaValidator(each, { budget, assertsFormats }))
  const [loose, checking] = [createValidators(false), createValidators(true)]
  const innerNode = direction === 'input' ? nodes.before : nodes.after
  const samples = [
    ...[true, false].map(all => sampleValue(innerNode, { optional: all ? 'all' : 'none', steps: 5_000 })),
    ...texts,
  ]
  for (const sample of samples) {
    const value = withPart(common.witness, pointerSegments(path), sample)
    if (!isSent(value) || !loose.some(validate => validate(value as Json).verdict === 'valid')) continue
    const [refused] = checking.map(validate => validate(value as Json))
    if (
      refused?.verdict === 'invalid' &&
      checking.every(validate => validate(value as Json).verdict === 'invalid')
    )
      return {
        value,
        path: refused.issues[0]?.path ?? path,
        error: 'does not match its format if formats are checked',
      }
  }
  return undefined
}

/**
 * Returns the inner side without texts and numbers at the format's location: a counterexample has such a value there.
 */
function withoutScalars(cause: Cause, edited: EditedSchema): JsonSchema {
  const refuse = (node: unknown) => ({
    allOf: [isObject(node) ? node : {}, { not: { type: ['string', 'number'] } }],
  })
  const edits = cause.edits.map(({ before, after }) => ({
    before: before.slice(0, -1),
    after: after.slice(0, -1),
    forward: refuse,
    backward: refuse,
  }))
  return edited.with([{ edits }])
}

/** Returns a check whether the inner side, with its formats, accepts a value. */
function createSenderCheck(inner: readonly JsonSchema[], budget: Budget): (value: unknown) => boolean {
  const validators = inner.map(view => createSchemaValidator(view, { budget }))
  return value => validators.some(validate => validate(value as Json).verdict === 'valid')
}
