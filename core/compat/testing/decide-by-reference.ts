/** Asks three validators about a value. For tests only. */
import { createAjvCheck, createCfworkerCheck, type ValueCheck } from './independent-checks.ts'
import { validates } from './validates.ts'

const known = new WeakMap<object, readonly [ValueCheck, ValueCheck]>()

/** Compiles a schema once for all its values. */
function findChecks(schema: unknown): readonly [ValueCheck, ValueCheck] {
  const isKey = typeof schema === 'object' && schema !== null
  const checks =
    (isKey ? known.get(schema) : undefined) ??
    ([createAjvCheck(schema), createCfworkerCheck(schema)] as const)
  if (isKey) known.set(schema, checks)
  return checks
}

/**
 * Returns what two of three validators say; undefined if no two agree. Each has bugs: Ajv accepts `[]` for `{contains:
 * {type: 'null'}, prefixItems: [true]}` and skips an `if` without rules in its `then`.
 */
export function decideByReference(schema: unknown, value: unknown): boolean | undefined {
  const [first, second] = findChecks(schema).map(check => check(value))
  if (first === second) return first
  const third = tryValidation(schema, value)
  return third === first || third === second ? third : undefined
}

function tryValidation(schema: unknown, value: unknown): boolean | undefined {
  try {
    return validates(schema, value)
  } catch {
    return undefined
  }
}
