/** The thread that applies schemas with Ajv. It may hang on a hostile schema: the pool (validator.ts) ends it. */
import type { Validation } from '../../core/call/invocation.ts'
import { answerRequests } from '../workers/answer-requests.ts'
import { applySchema } from './apply-schema.ts'

export interface ValidationRequest {
  /** `schemaHash` of the schema. */
  readonly hash: string
  /** The schema as JSON, where this thread does not have it. */
  readonly schemaText?: string
  /** Drop all schemas that were sent before. */
  readonly reset: boolean
  readonly value: unknown
}

const schemaTexts = new Map<string, string>()

function validate({ hash, schemaText, reset, value }: ValidationRequest): Validation {
  if (reset) schemaTexts.clear()
  if (schemaText !== undefined) schemaTexts.set(hash, schemaText)
  const known = schemaTexts.get(hash)
  if (known === undefined) throw new Error(`the schema ${hash} was never sent`)
  return applySchema(known, value)
}

// Ajv compiles its meta-schemas at the first use: not in the first call.
applySchema('{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}', {})
answerRequests(validate)
