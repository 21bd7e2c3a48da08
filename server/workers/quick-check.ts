/**
 * Validates small values on the calling thread, which is cheaper than a request to another thread. A schema may be
 * hostile: anything that could take longer than a few milliseconds goes to the worker threads. So do invalid values,
 * whose issues the threads describe.
 */
import { SchemaEvaluator } from '../../core/compat/evaluate.ts'
import { Budget, defaultProofLimits, Undecided } from '../../core/compat/proof-limits.ts'
import { Registry } from '../../core/compat/registry.ts'
import { detectDialect } from '../../core/schema/dialect.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'

/** Maximum values and characters of a schema, and of a value. */
const maxUnits = 20_000
/**
 * Maximum units of the schema times units of the value: each part of one may be compared with each part of the other.
 */
const maxProduct = 4_000_000
/** Applications of a schema to a value, 0.2 to 1 microsecond each. */
const maxSteps = 5_000
/** Keywords that may cost more than that: they repeat parts of the schema, read texts or calculate. */
const slowKeywords =
  /"(?:\$ref|\$recursiveRef|\$dynamicRef|pattern|patternProperties|format|uniqueItems|multipleOf)":/

interface QuickCheck {
  readonly units: number
  /** May throw. */
  readonly isValid: (value: unknown) => boolean
}

const checks = new WeakMap<object, QuickCheck | null>()

/** Whether small values of this schema can be checked here. */
export function takesQuickChecks(schema: JsonSchema): boolean {
  return getCheck(schema) !== null
}

/** Returns true if the value is valid; false means unknown. Never throws. */
export function isSurelyValid(schema: JsonSchema, value: unknown): boolean {
  const check = getCheck(schema)
  if (check === null) return false
  try {
    return countUnits(value, Math.min(maxUnits, maxProduct / check.units)) !== null && check.isValid(value)
  } catch {
    return false
  }
}

function getCheck(schema: JsonSchema): QuickCheck | null {
  // A manifest may contain anything in place of a schema.
  if (typeof schema !== 'object' || schema === null) return null
  let check = checks.get(schema)
  if (check === undefined) {
    check = makeCheck(schema)
    checks.set(schema, check)
  }
  return check
}

function makeCheck(schema: JsonSchema): QuickCheck | null {
  try {
    const units = countUnits(schema, maxUnits)
    if (units === null || slowKeywords.test(JSON.stringify(schema))) return null
    const budget = new Budget(defaultProofLimits)
    const evaluator = new SchemaEvaluator(new Registry(schema, detectDialect(schema), new Map(), 0), {
      step: cost => budget.step(cost),
      matches: () => {
        throw new Undecided('patterns are checked on a worker thread')
      },
    })
    return {
      units,
      isValid(value) {
        budget.renew(maxSteps)
        return evaluator.check(value).length === 0
      },
    }
  } catch {
    return null
  }
}

/**
 * Returns the number of nested values plus the characters of texts; null beyond `max`, and for numbers that need exact
 * arithmetic.
 */
function countUnits(value: unknown, max: number): number | null {
  const open = [value]
  let units = 0
  while (open.length > 0) {
    const next = open.pop()
    units += 1
    if (typeof next === 'bigint') return null
    if (typeof next === 'string') units += next.length
    if (typeof next === 'object' && next !== null) {
      if ('isLosslessNumber' in next) return null
      for (const name in next) {
        if (units > max) return null
        units += name.length
        open.push((next as Record<string, unknown>)[name])
        if (open.length > max) return null
      }
    }
    if (units > max) return null
  }
  return units
}
