/** Inputs for one schema: some meant to be valid, some spoilt. What they really are, the server's validator decides. */

import { sampleValue } from '../../../core/form/sample.ts'
import { spoil } from '../../../core/form/spoil.testkit.ts'
import { writeJson } from '../../../core/json/json-text.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { pseudoRandom } from '../../../core/validation/random.ts'
import { createSchemaValidator } from '../../../core/validation/schema-validator.ts'
import { jsonOf } from './mounted.tsx'

/** JSON texts, without repeats. The same seed gives the same texts. */
export function instancesOf(schema: JsonSchema, seed: number): { valid: string[]; spoilt: string[] } {
  const caller = callerSchema(schema)
  const valid = new Set<string>()
  for (const optional of ['all', 'none', 'some'] as const)
    valid.add(writeJson(sampleValue(caller, { optional }), 0))
  for (let index = 0; index < 6; index++) {
    const random = pseudoRandom(seed * 31 + index)
    valid.add(writeJson(sampleValue(caller, { optional: index % 2 ? 'some' : 'all', random }), 0))
  }
  const spoilt = new Set<string>()
  for (let index = 0; index < 10 && spoilt.size < 6; index++) {
    const random = pseudoRandom(seed * 57 + index)
    const base = sampleValue(caller, { optional: index % 2 ? 'all' : 'some', random })
    spoilt.add(writeJson(spoil(base, random), 0))
  }
  return { valid: [...valid], spoilt: [...spoilt] }
}

/** What the page would show at the fields. */
export function issuesInBrowser(schema: JsonSchema, text: string): readonly ValidationIssue[] {
  return createSchemaValidator(callerSchema(schema))(jsonOf(text) ?? {}).issues
}

/** The page's verdict on each text. */
export function verdictsInBrowser(schema: JsonSchema, texts: readonly string[]): string[] {
  const validate = createSchemaValidator(callerSchema(schema))
  return texts.map(text => validate(jsonOf(text) ?? {}).verdict)
}
