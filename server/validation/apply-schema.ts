/** Validates one value against one schema of a tool. */
import type { ErrorObject, ValidateFunction } from 'ajv'
import { LRUCache } from 'lru-cache'
import type { Validation, ValidationIssue } from '../../core/call/invocation.ts'
import { compileSchema } from './compile-schema.ts'
import { describeError, isSummary } from './describe-error.ts'

const MAX_ISSUES = 100
const MAX_CACHED = 200

type Compiled = { readonly validate: ValidateFunction } | { readonly broken: string }
const cache = new LRUCache<string, Compiled>({ max: MAX_CACHED })

/** `schemaText` is the schema as JSON. A schema that cannot be compiled gives `unchecked`, with the reason. */
export function applySchema(schemaText: string, value: unknown): Validation {
  const compiled = compileCached(schemaText)
  if ('broken' in compiled) return { verdict: 'unchecked', issues: [], note: compiled.broken }
  const { validate } = compiled
  try {
    if (validate(value)) return { verdict: 'valid', issues: [] }
  } catch (thrown) {
    return { verdict: 'unchecked', issues: [], note: `The schema could not be applied: ${messageOf(thrown)}` }
  }
  return toInvalid(validate.errors ?? [], value)
}

function toInvalid(errors: readonly ErrorObject[], value: unknown): Validation {
  const own = errors.filter(error => !isSummary(error))
  const issues = (own.length > 0 ? own : errors).map(error => describeError(error, value))
  const unique = new Map<string, ValidationIssue>()
  for (const issue of issues) unique.set(`${issue.path}\n${issue.message}`, issue)
  const all = [...unique.values()]
  const more = all.length - MAX_ISSUES
  return { verdict: 'invalid', issues: all.slice(0, MAX_ISSUES), ...(more > 0 ? { more } : {}) }
}

function compileCached(schemaText: string): Compiled {
  const known = cache.get(schemaText)
  if (known !== undefined) return known
  let compiled: Compiled
  try {
    compiled = { validate: compileSchema(JSON.parse(schemaText)) }
  } catch (thrown) {
    compiled = { broken: `The schema is not valid itself: ${messageOf(thrown)}` }
  }
  cache.set(schemaText, compiled)
  return compiled
}

const messageOf = (thrown: unknown) =>
  (thrown instanceof Error ? thrown.message : String(thrown)).slice(0, 500)
