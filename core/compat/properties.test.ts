import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { isSubschema, loadCompat } from './is-subschema.ts'
import { schemas, values } from './testing/arbitrary-schemas.ts'
import { validates } from './testing/validates.ts'
import { valuesOf } from './testing/values-of.ts'

const runs = Number(globalThis.process?.env.COMPAT_RUNS ?? 300)
beforeAll(loadCompat)

describe('random schemas', () => {
  test('what is proved holds for random values and for values made for the first schema', () => {
    const counts = { proved: 0, refuted: 0, unknown: 0, invalid: 0 }
    fc.assert(
      fc.property(schemas, schemas, fc.array(values, { minLength: 30, maxLength: 60 }), (a, b, pool) => {
        const { verdict } = isSubschema(a, b)
        counts[verdict] += 1
        if (verdict !== 'proved') return
        for (const value of [...pool, ...valuesOf(a, 4)])
          if (validates(a, value)) expect(validates(b, value), JSON.stringify(value)).toBe(true)
      }),
      { numRuns: runs },
    )
    expect(counts.proved).toBeGreaterThan(0)
    expect(counts.refuted).toBeGreaterThan(counts.proved / 2)
    if (runs > 1000) console.log(counts)
  })
})
