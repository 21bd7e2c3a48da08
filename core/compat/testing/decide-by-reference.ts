/** Asks three validators about a value. For tests only. */
import { type Schema, Validator } from '@cfworker/json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { validates } from './validates.ts'

const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false })

const says = (validate: () => boolean | undefined): boolean | undefined => {
  try {
    return validate()
  } catch {
    return undefined
  }
}

/**
 * Returns what two of three validators say; undefined if no two agree. Each has bugs: Ajv accepts `[]` for `{contains:
 * {type: 'null'}, prefixItems: [true]}` and skips an `if` without rules in its `then`.
 *
 * @param schema of draft 2020-12
 */
export function decideByReference(schema: unknown, value: unknown): boolean | undefined {
  const first = says(() => ajv.validate(schema as Schema, value))
  const second = says(() => new Validator(schema as Schema, '2020-12').validate(value).valid)
  if (first === second) return first
  const third = says(() => validates(schema, value))
  return third === first || third === second ? third : undefined
}
