/**
 * Finds a value that fails if `format` is checked. Containment treats `format` as an annotation (JSON Schema Validation
 * §7.2.1), but servers built with zod, Pydantic or ajv-formats refuse such a value.
 */

import type { Budget } from '../../compat/proof-limits.ts'
import { sampleValue } from '../../form/sample.ts'
import { isObject, type Json } from '../../json/json.ts'
import { pointerSegments, withPart } from '../../json/pointer.ts'
import { allSchemas } from '../../schema/walk-schema.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import { sampleFormat } from '../../validation/sample-format.ts'
import { createSchemaValidator } from '../../validation/schema-validator.ts'
import { isOfFormat } from '../../validation/string-formats.ts'
import { statedText } from '../../validation/text-example.ts'
import { ask, type ContainmentQuestion, type RefusedValue } from './containment.ts'
import type { EditedSchema } from './edited-schema.ts'
import type { Cause } from './walk-pair.ts'

const texts = [
  'text',
  'not-a-url',
  '2026-02-30',
  'a b',
  '',
  ...['uri', 'email', 'date', 'uuid'].map(sampleFormat),
]
const numbers = [1.5, 2 ** 31, 2 ** 63, 1e300]

/** Returns `undefined` if the location allows no such value, or if no validator knows the format. */
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
      return { value, path: found.path, error: `is not a valid ${outerFormat}, where formats are checked` }
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
        error: 'is not of its format, where formats are checked',
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
