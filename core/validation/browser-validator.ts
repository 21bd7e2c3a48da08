/** Judges a value in the page, without eval: @cfworker/json-schema, with its findings put into words. */
import { Validator } from '@cfworker/json-schema'
import type { Validation, ValidationIssue } from '../call/invocation.ts'
import type { Json } from '../json/json.ts'
import { toPlain } from '../json/json-text.ts'
import { dialectOf } from '../json-schema/dialect.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { prepareSchema } from './prepare-schema.ts'
import { issuesOf } from './unit-issues.ts'

const maxIssues = 100

/**
 * Compiles `schema` once; the answer judges one value after the other and never throws.
 * A schema that cannot be applied (unresolved reference, endless recursion) gives `unchecked` with the reason.
 * Patterns run on the browser's own engine: put the judging where it can be ended (a worker).
 */
export function createBrowserValidator(schema: JsonSchema): (value: Json) => Validation {
  let validator: Validator | undefined
  let broken = ''
  try {
    validator = new Validator(prepareSchema(schema) as object, dialectOf(schema), false)
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
