/** Validates with the engine's own validator. For tests only. */
import { checkSchema, dialectsOf } from '../check-schema.ts'
import { Evaluator } from '../evaluate.ts'
import { Judge } from '../holds.ts'
import { Budget, defaultLimits, Undecided } from '../limits.ts'
import { metaSchemas } from '../meta-schemas.ts'
import { Patterns } from '../pattern.ts'
import { Registry } from '../registry.ts'
import { TextSearch } from '../text-search.ts'

const patterns = new Patterns()

/** @returns undefined where the schema has no meaning for the value. */
export function validates(schema: unknown, value: unknown): boolean | undefined {
  const [dialect = '2020-12'] = dialectsOf([schema])
  const problem = checkSchema(schema, dialect)
  if (problem) throw new Error(`${problem.path} ${problem.reason}`)
  const budget = new Budget({ ...defaultLimits, milliseconds: 10_000 })
  const judge = new Judge(patterns, new TextSearch(patterns.languages, budget), budget)
  const registry = new Registry(schema, dialect, metaSchemas(), 0)
  const evaluator = new Evaluator(registry, (pattern, text) => judge.matches(pattern, text), budget)
  try {
    return evaluator.check(value) === undefined
  } catch (error) {
    if (error instanceof Undecided) return undefined
    throw error
  }
}
