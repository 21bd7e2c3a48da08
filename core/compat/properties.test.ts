import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { SchemaEvaluator } from './evaluate.ts'
import { isSubschema, loadCompat, type SubschemaVerdict } from './is-subschema.ts'
import { metaSchemas } from './meta-schemas.ts'
import { Registry } from './registry.ts'
import { arbitraryDocuments, arbitraryValues, schemas } from './testing/arbitrary-schemas.ts'
import { generateValues } from './testing/generate-values.ts'
import { mutations } from './testing/mutations.ts'
import { validates } from './testing/validates.ts'

/** More runs by hand: `COMPAT_RUNS=20000 npx vitest run core/compat/properties`. */
const runs = Number(globalThis.process?.env.COMPAT_RUNS ?? 100)
beforeAll(loadCompat)

/** A loop of references without a value between, and one without a target, are not a question for a validator. */
function isMeaningless(verdict: SubschemaVerdict): boolean {
  return verdict.verdict === 'unknown' && /without end|has no target/.test(verdict.reason)
}

describe('isSubschema with random schemas', () => {
  for (const [name, source] of [
    ['plain', schemas],
    ['recursive', arbitraryDocuments],
  ] as const)
    test(`proves nothing that a value disproves (${name} schemas)`, () => {
      const counts = { proved: 0, refuted: 0, unknown: 0, invalid: 0 }
      fc.assert(
        fc.property(
          source,
          source,
          fc.array(arbitraryValues, { minLength: 30, maxLength: 60 }),
          (a, b, pool) => {
            const answer = isSubschema(a, b)
            if (isMeaningless(answer)) return
            counts[answer.verdict] += 1
            if (answer.verdict === 'unknown' && runs > 1000)
              console.log(answer.reason, JSON.stringify([a, b]))
            if (answer.verdict !== 'proved') return
            for (const value of [...pool, ...generateValues(a, 4)])
              if (validates(a, value)) expect(validates(b, value), JSON.stringify(value)).not.toBe(false)
          },
        ),
        { numRuns: runs },
      )
      expect(counts.proved).toBeGreaterThan(runs / 10)
      expect(counts.refuted).toBeGreaterThan(runs / 10)
      expect(counts.unknown).toBeLessThan(runs / 50)
      expect(counts.invalid).toBe(0)
      if (runs > 1000) console.log(counts)
    })

  test('never refutes that a schema contains itself, also if it is written differently', () => {
    fc.assert(
      fc.property(arbitraryDocuments, schema => {
        const copy = { $defs: (schema as { $defs: unknown }).$defs, allOf: [{ not: { not: schema } }] }
        for (const verdict of [isSubschema(schema, copy), isSubschema(copy, schema)])
          if (!isMeaningless(verdict)) expect(verdict.verdict).not.toBe('refuted')
      }),
      { numRuns: runs },
    )
  })

  test('refutes no more for declared properties than for all values', () => {
    fc.assert(
      fc.property(arbitraryDocuments, arbitraryDocuments, (a, b) => {
        const declared = isSubschema(a, b, { mode: 'declared' })
        if (isSubschema(a, b).verdict === 'proved') expect(declared.verdict).not.toBe('refuted')
        if (declared.verdict === 'refuted') {
          expect(validates(a, declared.witness)).toBe(true)
          expect(validates(b, declared.witness)).toBe(false)
        }
      }),
      { numRuns: runs },
    )
  })

  test('is transitive', () => {
    fc.assert(
      fc.property(schemas, schemas, schemas, (a, b, c) => {
        const both = { allOf: [a, b] }
        const either = { anyOf: [a, c] }
        expect(isSubschema(both, a).verdict).not.toBe('refuted')
        expect(isSubschema(a, either).verdict).not.toBe('refuted')
        expect(isSubschema(both, either).verdict).not.toBe('refuted')
        if (isSubschema(a, b).verdict === 'proved' && isSubschema(b, c).verdict === 'proved')
          expect(isSubschema(a, c).verdict).not.toBe('refuted')
      }),
      { numRuns: runs },
    )
  })
})

describe('isSubschema with changes of a known direction', () => {
  test('never refutes the known direction', () => {
    const counts = { proved: 0, unknown: 0 }
    fc.assert(
      fc.property(
        schemas.chain(schema => fc.tuple(fc.constant(schema), mutations(schema))),
        ([schema, mutation]) => {
          const [a, b] =
            mutation.direction === 'wider' ? [schema, mutation.schema] : [mutation.schema, schema]
          const { verdict } = isSubschema(a, b)
          expect(['proved', 'unknown']).toContain(verdict)
          counts[verdict === 'proved' ? 'proved' : 'unknown'] += 1
        },
      ),
      { numRuns: runs },
    )
    expect(counts.unknown).toBeLessThan(runs / 50)
  })

  test('proves the other direction only if no value tells the two schemas apart', () => {
    fc.assert(
      fc.property(
        schemas.chain(schema => fc.tuple(fc.constant(schema), mutations(schema))),
        fc.array(arbitraryValues, { minLength: 20, maxLength: 40 }),
        ([schema, mutation], pool) => {
          const [a, b] =
            mutation.direction === 'wider' ? [mutation.schema, schema] : [schema, mutation.schema]
          if (isSubschema(a, b).verdict !== 'proved') return
          for (const value of [...pool, ...generateValues(a, 4)])
            if (validates(a, value)) expect(validates(b, value), JSON.stringify(value)).not.toBe(false)
        },
      ),
      { numRuns: runs },
    )
  })
})

describe('SchemaEvaluator', () => {
  /** Returns the failures of each value, or the message of what was thrown. */
  function failuresOf(schema: unknown, values: readonly unknown[], sharesParts: boolean): unknown[] {
    const registry = new Registry(schema, '2020-12', metaSchemas(), 0)
    const options = {
      matches: (pattern: string, text: string) => new RegExp(pattern, 'u').test(text),
      sharesParts,
    }
    const evaluator = new SchemaEvaluator(registry, { ...options, maxDepth: 100 })
    return values.map(value => {
      try {
        return evaluator.check(value)
      } catch (thrown) {
        return String(thrown)
      }
    })
  }

  for (const [name, source] of [
    ['plain', schemas],
    ['recursive', arbitraryDocuments],
  ] as const)
    test(`finds the same failures where it remembers what matched (${name} schemas)`, () => {
      fc.assert(
        fc.property(source, fc.array(arbitraryValues, { minLength: 4, maxLength: 8 }), (schema, parts) => {
          const values = [
            ...parts,
            ...parts.flatMap(part => [{ a: part, b: parts[0] }, [part, parts[1]], { a: { a: part } }, part]),
          ]
          expect(failuresOf(schema, values, true)).toEqual(failuresOf(schema, values, false))
        }),
        { numRuns: runs },
      )
    })
})
