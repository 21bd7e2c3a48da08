/** The program's validator, on the server and in the page: the engine's evaluator with readable messages. */

import { SchemaEvaluator } from '../compat/evaluate.ts'
import { metaSchemas } from '../compat/meta-schemas.ts'
import { type Budget, OutOfBudget, patternSteps, Undecided } from '../compat/proof-limits.ts'
import { Registry } from '../compat/registry.ts'
import type { SchemaFailure } from '../compat/schema-failure.ts'
import {
  isJsonNumber,
  isObject,
  type Json,
  jsonText,
  jsonType,
  numberText,
  type UnknownObject,
  withoutUndefined,
} from '../json/json.ts'
import { pointerSegments, pointerStep, valueAt } from '../json/pointer.ts'
import { detectDialect } from '../schema/dialect.ts'
import { nearest } from '../text/wording.ts'
import type { Validation, ValidationIssue } from '../tool/invocation.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { type IssueWords, issueWords } from './issue-words.ts'
import { issueLine, missingValue } from './read-issues.ts'
import { matchLinearly } from './safe-pattern.ts'
import { isOfFormat } from './string-formats.ts'

const maxIssues = 100

export interface SchemaValidatorOptions {
  /** Documents outside the schema that references may lead to, by address; the meta-schemas by default. */
  readonly documents?: ReadonlyMap<string, UnknownObject>
  /** The budget of all validations together; later ones are `unchecked`. Unlimited by default. */
  readonly budget?: Budget | undefined
  /** Whether a text that is not of its `format` is invalid; true by default. */
  readonly assertsFormats?: boolean
}

/**
 * Reads `schema` once and returns a function that validates values and never throws. The verdict is `unchecked`, with
 * the reason, if a part of the schema that applies to the value is broken, refers to itself without end, or is missing.
 * References to meta-schemas work after loadMetaSchemas.
 */
export function createSchemaValidator(schema: JsonSchema, options?: SchemaValidatorOptions): Validate {
  return partValidators(schema, options)(schema)
}

export type Validate = (value: Json) => Validation

/**
 * Does the same as `createSchemaValidator` for parts of one schema: `root` gives the dialect and the targets of
 * references. It is read once for all parts, because a hostile schema has thousands of parts and references.
 */
export function partValidators(
  root: JsonSchema,
  { documents = metaSchemas(), budget, assertsFormats = true }: SchemaValidatorOptions = {},
): (part: JsonSchema) => Validate {
  const read = attempt(() => {
    const registry = new Registry(root, detectDialect(root), documents, 0)
    const evaluator = new SchemaEvaluator(registry, {
      matches: (pattern, text) => {
        budget?.step(patternSteps)
        return matchLinearly(pattern, text)
      },
      ...(budget && { step: cost => budget.step(cost) }),
      ...(assertsFormats && { isOfFormat }),
    })
    return { registry, evaluator }
  })
  return part => {
    const check = 'reason' in read ? read : attempt(() => createPartCheck(read.result, part, root))
    return value => {
      const failures = 'reason' in check ? check : attempt(() => check.result(value))
      if ('reason' in failures) return { verdict: 'unchecked', issues: [], note: failures.reason }
      return failures.result.length === 0
        ? { verdict: 'valid', issues: [] }
        : invalid(failures.result, value, root)
    }
  }
}

function createPartCheck(
  { registry, evaluator }: { readonly registry: Registry; readonly evaluator: SchemaEvaluator },
  part: JsonSchema,
  root: JsonSchema,
) {
  const node = part === root ? registry.root : registry.child(registry.root, part)
  return (value: Json) => evaluator.check(value, node)
}

/** Returns the result, or the reason why a broken schema prevents it. */
function attempt<Result>(work: () => Result): { readonly result: Result } | { readonly reason: string } {
  try {
    return { result: work() }
  } catch (thrown) {
    return { reason: describeUndecided(thrown) }
  }
}

function invalid(failures: readonly SchemaFailure[], value: Json, root: JsonSchema): Validation {
  const issues = listIssues(failures, value, root)
  const more = issues.length - maxIssues
  return { verdict: 'invalid', issues: issues.slice(0, maxIssues), ...(more > 0 && { more }) }
}

function describeUndecided(thrown: unknown): string {
  if (thrown instanceof Undecided || thrown instanceof OutOfBudget)
    return `The schema could not be applied: ${thrown.message}`
  if (thrown instanceof RangeError) return 'The schema refers to itself without end, or is nested too deeply.'
  return `The schema could not be applied: ${String(thrown).slice(0, 200)}`
}

/* Reduces all failures of a value to the helpful issues: for a union, only those of the branch that was meant. */

/** A branch with more issues than this is less helpful than the union itself. */
const maxBranchIssues = 6
const maxText = 60

/** Returns each issue once, in the order of the schema. */
function listIssues(failures: readonly SchemaFailure[], value: Json, root: JsonSchema): ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>()
  for (const failure of failures.flatMap(withoutBranches)) {
    const issue = toValidationIssue(failure, value, root)
    const key = `${issue.path} ${issueLine(issue)}`
    if (!issues.has(key)) issues.set(key, issue)
  }
  return [...issues.values()]
}

/** Returns a failed union, or the failures of its branch that was most likely meant. */
function withoutBranches(failure: SchemaFailure): readonly SchemaFailure[] {
  const candidates = (failure.branches ?? []).filter(
    branch => !branch.some(each => isMismatch(each, failure.path)),
  )
  const ranked = candidates
    .map(branch => branch.flatMap(withoutBranches))
    .sort((left, right) => weigh(left) - weigh(right))
  const [best] = ranked
  return best === undefined || (ranked.length > 1 && best.length > maxBranchIssues) ? [failure] : best
}

/** Whether the value is of another kind, so that this branch was not meant. */
function isMismatch({ path, keyword }: SchemaFailure, unionPath: string): boolean {
  return path === unionPath && ['type', 'const', 'enum', 'false'].includes(keyword)
}

/** Weighs a branch: a wrong fixed value counts more than a missing part. */
function weigh(failures: readonly SchemaFailure[]): number {
  const weights: Readonly<Record<string, number>> = { const: 10, false: 3 }
  return failures.reduce((sum, { keyword }) => sum + (weights[keyword] ?? 2), 0)
}

function toValidationIssue(failure: SchemaFailure, value: Json, root: JsonSchema): ValidationIssue {
  const { keyword, property, because } = failure
  // A missing value is reported at the property itself, where the reader looks for it.
  const isMissing = property !== undefined && keyword !== 'propertyNames'
  const path = isMissing ? failure.path + pointerStep(property) : failure.path
  const found = valueAt(value, pointerSegments(path)) as Json | undefined
  return {
    path,
    keyword,
    ...describeFailedValue(),
    ...withoutUndefined({ expected: describeExpected(failure) }),
    actual: shortValue(found),
  }

  function describeFailedValue(): IssueWords {
    if (because !== undefined) return { message: `${missingValue} because ${because} is set` }
    if (keyword === 'propertyNames') return { message: `the key “${property}” is not allowed here` }
    const words = issueWords(failure, found)
    const meant = findMistyped(failure, value, root)
    return meant === undefined ? words : { ...words, message: meant }
  }
}

/** Returns the message for a missing property that is there under a similar name, or for that name. */
function findMistyped(failure: SchemaFailure, value: Json, root: JsonSchema): string | undefined {
  const { keyword, property, path, schema, schemaPath } = failure
  if (keyword === 'required' && property !== undefined) {
    const given = Object.keys((valueAt(value, pointerSegments(path)) ?? {}) as object)
    const declared = declaredNames(schema)
    const mistyped = nearest(
      property,
      given.filter(name => !declared.includes(name)),
    )
    if (mistyped !== null) return `${missingValue}: ${unknownProperty(mistyped, property)}`
  }
  const allows = /^(.*)\/(?:additional|unevaluated)Properties$/.exec(schemaPath)
  const name = pointerSegments(path).at(-1)
  if (keyword !== 'false' || allows === null || name === undefined) return undefined
  const meant = nearest(name, declaredNames(valueAt(root, pointerSegments(allows[1] ?? ''))))
  return meant === null ? undefined : unknownProperty(name, meant)
}

const unknownProperty = (name: string, meant: string) =>
  `unknown property ${shorten(name)}, did you mean ${shorten(meant)}?`

function declaredNames(schema: unknown): string[] {
  return isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : []
}

/** Returns the expected value in a few words: `boolean`, `one of "dev", "prod"`. */
function describeExpected({ keyword, limit }: SchemaFailure): string | undefined {
  switch (keyword) {
    case 'type':
      return [limit].flat().join(' or ')
    case 'enum':
      return shorten(`one of ${[limit].flat().map(toShortJson).join(', ')}`)
    case 'const':
      return toShortJson(limit)
    case 'format':
      return String(limit)
    case 'required':
      return 'a required value'
    default:
      return undefined
  }
}

/** `boolean true`, `string "yes"`, `array of 3`, `object`, `nothing`. */
function shortValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `array of ${value.length}`
  const type = jsonType(value)
  return type === 'object' || type === 'null' ? type : `${type} ${toShortJson(value)}`
}

function toShortJson(value: unknown): string {
  if (isJsonNumber(value)) return shorten(numberText(value))
  // A text of megabytes is cut before it is written.
  return shorten(jsonText(typeof value === 'string' ? value.slice(0, maxText) : value) ?? '…')
}

const shorten = (text: string) => (text.length > maxText ? `${text.slice(0, maxText)}…` : text)
