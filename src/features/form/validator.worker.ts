/// <reference lib="webworker" />
/** Validates drafts outside the page's thread: a pattern that never ends blocks only this worker. */
import type { ValidationIssue } from '../../../core/call/invocation.ts'
import { loadMetaSchemasFor } from '../../../core/compat/parse/meta-schemas.ts'
import { readJson } from '../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createSchemaValidator } from '../../../core/validation/schema-validator.ts'
import { answerRequests } from '../../api/worker-requests.ts'

/** Texts, not values: they cross to the worker as they are, big numbers included. */
export interface ValidationRequest {
  readonly schemaText: string
  readonly text: string
}

let known:
  | { readonly schemaText: string; readonly validate: ReturnType<typeof createSchemaValidator> }
  | undefined

answerRequests<ValidationRequest, readonly ValidationIssue[]>(async ({ schemaText, text }) => {
  await loadMetaSchemasFor(schemaText)
  if (known?.schemaText !== schemaText)
    known = { schemaText, validate: createSchemaValidator(JSON.parse(schemaText) as JsonSchema) }
  const reading = readJson(text)
  return known.validate((reading.ok ? reading.value : undefined) ?? {}).issues
})
