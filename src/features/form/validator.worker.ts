/// <reference lib="webworker" />
/** Validates drafts outside the page's thread: a pattern that never ends blocks only this worker. */
import type { ValidationIssue } from '../../../core/call/invocation.ts'
import { readJson } from '../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createBrowserValidator } from '../../../core/validation/browser-validator.ts'
import { answerRequests } from '../../api/worker-requests.ts'

/** Texts, not values: they cross to the worker as they are, big numbers included. */
export interface ValidationRequest {
  readonly schemaText: string
  readonly text: string
}

let known:
  | { readonly schemaText: string; readonly validate: ReturnType<typeof createBrowserValidator> }
  | undefined

answerRequests<ValidationRequest, readonly ValidationIssue[]>(({ schemaText, text }) => {
  if (known?.schemaText !== schemaText)
    known = { schemaText, validate: createBrowserValidator(JSON.parse(schemaText) as JsonSchema) }
  const reading = readJson(text)
  return known.validate((reading.ok ? reading.value : undefined) ?? {}).issues
})
