/** Validates with the engine's own validator. For tests only. */

import { detectDialect } from '../../schema/dialect.ts'
import { checkSchema } from '../check-schema.ts'
import { SchemaEvaluator } from '../evaluate.ts'
import { metaSchemas } from '../meta-schemas.ts'
import { Patterns } from '../pattern.ts'
import { Budget, defaultProofLimits, Undecided } from '../proof-limits.ts'
import { Registry } from '../registry.ts'
import { TextSearch } from '../shortest-text.ts'
import { TermChecker } from '../term-checker.ts'

let patterns = new Patterns()
const maxLanguages = 50_000
const maxSteps = 2_000_000

/** @returns undefined if the schema has no meaning for the value */
export function validates(schema: unknown, value: unknown): boolean | undefined {
  return createReferenceCheck(schema)(value)
}

/** Does the same for many values of one schema. @throws if the schema is not valid in its dialect */
function createReferenceCheck(schema: unknown): (value: unknown) => boolean | undefined {
  if (patterns.languages.size > maxLanguages) patterns = new Patterns()
  const dialect = detectDialect(schema)
  const problem = checkSchema(schema, dialect)
  if (problem) throw new Error(`${problem.path} ${problem.reason}`)
  const budget = new Budget(defaultProofLimits)
  const checker = new TermChecker(patterns, new TextSearch(patterns.languages, budget), budget)
  const registry = new Registry(schema, dialect, metaSchemas(), 0)
  const evaluator = new SchemaEvaluator(registry, {
    matches: (pattern, text) => checker.matches(pattern, text),
    step: cost => budget.step(cost),
    // An early refusal is final, whatever the rest of the schema means.
    firstOnly: true,
  })
  return value => {
    budget.renew(maxSteps)
    try {
      return evaluator.check(value).length === 0
    } catch (error) {
      if (error instanceof Undecided) return undefined
      throw error
    }
  }
}
