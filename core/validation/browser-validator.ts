/** Validates a value in the page, without eval: @cfworker/json-schema, with its findings put into words. */
import { type SchemaDraft, Validator } from '@cfworker/json-schema'
import type { Validation, ValidationIssue } from '../call/invocation.ts'
import { isObject, type Json } from '../json/json.ts'
import { toPlain } from '../json/json-text.ts'
import { dialectOf } from '../json-schema/dialect.ts'
import { type Dialect, definitionKeywords } from '../json-schema/keywords.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { prepareSchema } from './prepare-schema.ts'
import { issuesOf } from './unit-issues.ts'

const maxIssues = 100

/** The validator's name of each dialect. Draft 6 differs from draft 7 only in keywords that it lacks. */
const drafts: Readonly<Record<Dialect, SchemaDraft>> = {
  'draft-04': '4',
  'draft-06': '7',
  'draft-07': '7',
  '2019-09': '2019-09',
  '2020-12': '2020-12',
}

/**
 * Compiles `schema` once; the answer validates one value after the other and never throws.
 * A schema that cannot be applied (unresolved reference, endless recursion) gives `unchecked` with the reason.
 * Patterns run on the browser's own engine: validate where it can be ended (a worker).
 * @param root the schema that `schema` is a part of: it gives the dialect and the definitions
 */
export function createBrowserValidator(
  schema: JsonSchema,
  root: JsonSchema = schema,
): (value: Json) => Validation {
  let validator: Validator | undefined
  let broken = ''
  try {
    validator = new Validator(
      prepareSchema(withDefinitions(schema, root)) as object,
      drafts[dialectOf(root)],
      false,
    )
  } catch (thrown) {
    broken = reason(thrown)
  }
  return value => {
    if (!validator) return unchecked(broken)
    try {
      const { valid, errors } = validator.validate(toPlain(value))
      return valid ? { verdict: 'valid', issues: [] } : invalid(issuesOf(errors, schema, value))
    } catch (thrown) {
      return unchecked(reason(thrown))
    }
  }
}

/** A part that can be validated against alone: its references still find the root's definitions. */
function withDefinitions(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema === root || !isObject(schema) || !isObject(root)) return schema
  const shared = Object.entries(root).filter(([keyword]) => definitionKeywords.has(keyword))
  return { ...Object.fromEntries(shared), ...schema }
}

function invalid(issues: readonly ValidationIssue[]): Validation {
  const shown = issues.slice(0, maxIssues)
  const more = issues.length - shown.length
  return { verdict: 'invalid', issues: shown, ...(more > 0 && { more }) }
}

function unchecked(note: string): Validation {
  return { verdict: 'unchecked', issues: [], note }
}

function reason(thrown: unknown): string {
  if (thrown instanceof RangeError) return 'The schema refers to itself without end, or is nested too deeply.'
  const [line = ''] = thrown instanceof Error ? thrown.message.split('\n') : []
  return `The schema could not be applied: ${line.slice(0, 200)}`
}
