import { type Schema, Validator } from '@cfworker/json-schema'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { loadCompat } from './is-subschema.ts'
import { arbitraryValues, schemas } from './testing/arbitrary-schemas.ts'
import { validates } from './testing/validates.ts'

beforeAll(loadCompat)

const runs = Number(globalThis.process?.env.COMPAT_RUNS ?? 120)

/**
 * Undefined where the code that Ajv has made is broken: it collects the evaluated properties of some `oneOf` in nothing, and of
 * some `dependentSchemas` in a variable that it has not declared.
 */
function verdictOf(byAjv: ValidateFunction, value: unknown): boolean | undefined {
  try {
    return byAjv(value)
  } catch (thrown) {
    if (thrown instanceof TypeError || thrown instanceof ReferenceError) return undefined
    throw thrown
  }
}

describe('validator of the containment engine', () => {
  test('agrees with Ajv and cfworker wherever these two agree', () => {
    fc.assert(
      fc.property(schemas, fc.array(arbitraryValues, { minLength: 6, maxLength: 6 }), (schema, samples) => {
        const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false })
        const byAjv = ajv.compile(schema as object)
        const byCfworker = new Validator(schema as Schema, '2020-12')
        for (const value of samples) {
          const first = verdictOf(byAjv, value)
          const second = byCfworker.validate(value).valid
          if (first === second) expect(validates(schema, value), JSON.stringify(value)).toBe(first)
        }
      }),
      { numRuns: runs },
    )
  })

  test('refuses what one keyword refuses, even if another keyword refers to itself without end', () => {
    const endless = {
      $defs: { q: { oneOf: [{ $ref: '#/$defs/q' }], exclusiveMaximum: -2 } },
      $ref: '#/$defs/q',
    }
    expect([validates(endless, 0), validates(endless, -3)]).toEqual([false, undefined])
  })
})
