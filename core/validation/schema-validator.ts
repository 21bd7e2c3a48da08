/** The program's validator, on the server and in the page: the engine's evaluator, with its failures put into words. */

import { SchemaEvaluator } from '../compat/evaluate.ts'
import { type Budget, OutOfBudget, patternSteps, Undecided } from '../compat/limits.ts'
import { metaSchemas } from '../compat/meta-schemas.ts'
import { Registry } from '../compat/registry.ts'
import type { Json, UnknownObject } from '../json/json.ts'
import { dialectOf } from '../schema/dialect.ts'
import type { Validation } from '../tool/invocation.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { isOfFormat } from './formats.ts'
import { issuesOf } from './issues.ts'
import { matchLinearly } from './match-linearly.ts'

const maxIssues = 100

export interface SchemaValidatorOptions {
  /** What references may lead to outside the schema, by address; the meta-schemas unless given. */
  readonly documents?: ReadonlyMap<string, UnknownObject>
  /** What all validations together may cost; they are `unchecked` after it. No limit unless given. */
  readonly budget?: Budget | undefined
  /** Is a text that is not of its `format` invalid? Yes unless given. */
  readonly assertsFormats?: boolean
}

/**
 * Reads `schema` once; the answer validates one value after the other and never throws. `unchecked`, with the reason, where
 * the value leads to a part of the schema that is broken, refers to itself without end, or to what is not in the schema.
 * Meta-schemas can be referred to once they are loaded (loadMetaSchemas).
 */
export function createSchemaValidator(schema: JsonSchema, options?: SchemaValidatorOptions): Validate {
  return partValidators(schema, options)(schema)
}

export type Validate = (value: Json) => Validation

/**
 * As `createSchemaValidator`, for the parts of one schema: `root` gives the dialect, and what references lead to. It is
 * read once for all parts, because a hostile one has thousands of both.
 */
export function partValidators(
  root: JsonSchema,
  { documents = metaSchemas(), budget, assertsFormats = true }: SchemaValidatorOptions = {},
): (part: JsonSchema) => Validate {
  const read = attempt(() => {
    const registry = new Registry(root, dialectOf(root), documents, 0)
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
    const check = 'reason' in read ? read : attempt(() => checkOf(read.result, part, root))
    return value => {
      const failures = 'reason' in check ? check : attempt(() => check.result(value))
      if ('reason' in failures) return { verdict: 'unchecked', issues: [], note: failures.reason }
      return failures.result.length === 0 ? { verdict: 'valid', issues: [] } : invalid(failures.result, value)
    }
  }
}

function checkOf(
  { registry, evaluator }: { readonly registry: Registry; readonly evaluator: SchemaEvaluator },
  part: JsonSchema,
  root: JsonSchema,
) {
  const node = part === root ? registry.root : registry.child(registry.root, part)
  return (value: Json) => evaluator.check(value, node)
}

/** What can fail for a broken schema, or the reason. */
function attempt<Result>(work: () => Result): { readonly result: Result } | { readonly reason: string } {
  try {
    return { result: work() }
  } catch (thrown) {
    return { reason: reasonOf(thrown) }
  }
}

function invalid(failures: Parameters<typeof issuesOf>[0], value: Json): Validation {
  const issues = issuesOf(failures, value)
  const more = issues.length - maxIssues
  return { verdict: 'invalid', issues: issues.slice(0, maxIssues), ...(more > 0 && { more }) }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Undecided || thrown instanceof OutOfBudget)
    return `The schema could not be applied: ${thrown.message}`
  if (thrown instanceof RangeError) return 'The schema refers to itself without end, or is nested too deeply.'
  return `The schema could not be applied: ${String(thrown).slice(0, 200)}`
}
