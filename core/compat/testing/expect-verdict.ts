/** Checks a verdict, and every witness with two independent validators. For tests only. */
import { expect } from 'vitest'
import { isSubschema, type SubschemaOptions, type SubschemaVerdict } from '../is-subschema.ts'
import { createAjvCheck, createCfworkerCheck } from './independent-checks.ts'

/** Both directions: `equal`, `narrower` (only a ⊆ b), `wider` (only b ⊆ a), `apart` (neither). */
export type Relation = 'equal' | 'narrower' | 'wider' | 'apart'

export function expectRelation(a: unknown, b: unknown, relation: Relation): void {
  const inB = relation === 'equal' || relation === 'narrower'
  const inA = relation === 'equal' || relation === 'wider'
  expectContained(a, b, inB)
  expectContained(b, a, inA)
}

function expectContained(a: unknown, b: unknown, contained: boolean): void {
  const answer = isSubschema(a, b)
  const words = `${JSON.stringify(a)} in ${JSON.stringify(b)}: ${JSON.stringify(answer)}`
  expect(answer.verdict, words).toBe(contained ? 'proved' : 'refuted')
  if (answer.verdict === 'refuted') expectWitness(a, b, answer.witness)
}

function expectWitness(a: unknown, b: unknown, witness: unknown): void {
  for (const createCheck of [createAjvCheck, createCfworkerCheck])
    expect([createCheck(a)(witness), createCheck(b)(witness)], `witness ${JSON.stringify(witness)}`).toEqual([
      true,
      false,
    ])
}

export function decideVerdict(
  a: unknown,
  b: unknown,
  options?: SubschemaOptions,
): SubschemaVerdict['verdict'] {
  return isSubschema(a, b, options).verdict
}
