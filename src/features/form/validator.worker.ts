/// <reference lib="webworker" />
/** Validates drafts and generates examples in a worker, so that an endless schema does not block the page. */

import { loadMetaSchemasFor } from '../../../core/compat/meta-schemas.ts'
import { type OptionalFields, sampleValue } from '../../../core/form/sample.ts'
import { readJson, writeJson } from '../../../core/json/json-text.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { loadMatchersFor } from '../../../core/validation/safe-pattern.ts'
import { createSchemaValidator } from '../../../core/validation/schema-validator.ts'
import { answerWorkerRequests } from '../../api/worker-requests.ts'

/** JSON texts, not values: big numbers reach the worker unchanged. */
export interface FormValidation {
  readonly schemaText: string
  readonly text: string
}

/** `sampleOf` is a schema as JSON; the reply is a sample value as JSON. */
export interface SampleRequest {
  readonly sampleOf: string
  readonly optional?: OptionalFields
  /** Saved inputs as one JSON list. */
  readonly savedText?: string
}

let known:
  | { readonly schemaText: string; readonly validate: ReturnType<typeof createSchemaValidator> }
  | undefined

answerWorkerRequests<FormValidation | SampleRequest, readonly ValidationIssue[] | string>(request =>
  'sampleOf' in request ? sample(request) : validate(request),
)

async function sample({ sampleOf, optional = 'all', savedText = '[]' }: SampleRequest): Promise<string> {
  await loadMatchersFor(sampleOf)
  const reading = readJson(savedText)
  const saved = reading.ok && Array.isArray(reading.value) ? reading.value : []
  return writeJson(sampleValue(JSON.parse(sampleOf) as JsonSchema, { optional, saved }))
}

async function validate({ schemaText, text }: FormValidation): Promise<readonly ValidationIssue[]> {
  await Promise.all([loadMetaSchemasFor(schemaText), loadMatchersFor(schemaText)])
  if (known?.schemaText !== schemaText)
    known = { schemaText, validate: createSchemaValidator(JSON.parse(schemaText) as JsonSchema) }
  const reading = readJson(text)
  return known.validate((reading.ok ? reading.value : undefined) ?? {}).issues
}
