/**
 * A value that fails where `format` is checked. Containment reads `format` as an annotation (JSON Schema Validation §7.2.1),
 * but servers built with zod, Pydantic or ajv-formats refuse.
 */

import type { Budget } from '../../compat/limits.ts'
import { isObject, type Json, own } from '../../json/json.ts'
import { pointerSegments } from '../../json/pointer.ts'
import { sampleFormat } from '../../pattern/sample-format.ts'
import { statedText } from '../../pattern/text-example.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import { isOfFormat } from '../../validation/formats.ts'
import { createSchemaValidator } from '../../validation/schema-validator.ts'
import { ask, type Question, type Refusal } from './containment.ts'
import type { EditedSchema } from './edited-schema.ts'
import type { Cause } from './walk.ts'

const texts = [
  'text',
  'not-a-url',
  '2026-02-30',
  'a b',
  '',
  ...['uri', 'email', 'date', 'uuid'].map(sampleFormat),
]
const numbers = [1.5, 2 ** 31, 2 ** 63, 1e300]

/** `undefined` where the place takes no such value, and for a format that no validator knows. */
export function findFormatWitness(
  cause: Cause,
  question: Question,
  edited: EditedSchema,
): Refusal | undefined {
  const isInput = question.direction === 'input'
  const [innerFormat, outerFormat] = isInput ? [cause.before, cause.after] : [cause.after, cause.before]
  if (typeof outerFormat !== 'string') return undefined
  const found = ask({ ...question, outer: withoutScalars(cause, edited), orOuter: [] }, 'declared')
  if (found.verdict !== 'refuted') return undefined
  const at = pointerSegments(found.path)
  const isSent = senderOf(question.inner, question.budget)
  const stated = cause.node && statedText(cause.node)
  for (const candidate of [...(stated === undefined ? [] : [stated]), ...texts, ...numbers]) {
    if (candidate === undefined || isOfFormat(outerFormat, candidate)) continue
    if (typeof innerFormat === 'string' && !isOfFormat(innerFormat, candidate)) continue
    const value = write(found.witness, at, candidate)
    if (isSent(value))
      return { value, path: found.path, error: `is not a valid ${outerFormat}, where formats are checked` }
  }
  return undefined
}

/** The inner side with no text and no number at the place of the format: what refuses it there, refuses such a value. */
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

/** Accepted by the inner side, with its formats. */
function senderOf(inner: readonly JsonSchema[], budget: Budget): (value: unknown) => boolean {
  const validators = inner.map(view => createSchemaValidator(view, { budget }))
  return value => validators.some(validate => validate(value as Json).verdict === 'valid')
}

function write(value: unknown, at: readonly string[], part: unknown): unknown {
  const [step, ...rest] = at
  if (step === undefined) return part
  if (Array.isArray(value)) return value.with(Number(step), write(value[Number(step)], rest, part))
  return isObject(value) ? { ...value, [step]: write(own(value, step), rest, part) } : value
}
