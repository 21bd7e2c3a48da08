/** The thread that applies schemas. It may hang on a hostile schema: then the pool (validator.ts) ends it. */

import { loadMetaSchemasFor } from '../../core/compat/meta-schemas.ts'
import type { Json } from '../../core/json/json.ts'
import type { Validation } from '../../core/tool/invocation.ts'
import { loadMatchersFor } from '../../core/validation/safe-pattern.ts'
import { answerThreadRequests } from './answer-requests.ts'
import { applySchema } from './apply-schema.ts'

export interface HashedValidation {
  /** `schemaHash` of the schema. */
  readonly hash: string
  /** The schema as JSON, if this thread does not have it. */
  readonly schemaText?: string
  /** Drops all schemas that were sent before. */
  readonly reset: boolean
  readonly value: Json
}

const schemaTexts = new Map<string, string>()

async function validate({ hash, schemaText, reset, value }: HashedValidation): Promise<Validation> {
  if (reset) schemaTexts.clear()
  if (schemaText !== undefined) schemaTexts.set(hash, schemaText)
  const known = schemaTexts.get(hash)
  if (known === undefined) throw new Error(`the schema ${hash} was never sent`)
  await Promise.all([loadMetaSchemasFor(known), loadMatchersFor(known)])
  return applySchema(known, value)
}

answerThreadRequests(validate)
