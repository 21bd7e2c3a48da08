/// <reference lib="webworker" />
/** Validates drafts outside the page's thread: a pattern that never ends blocks only this worker. */

import type { ValidationIssue } from '../../../core/call/invocation.ts'
import type { Json } from '../../../core/json/json.ts'
import { readJson } from '../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createBrowserValidator } from '../../../core/validation/browser-validator.ts'

/** Texts, not values: they cross to the worker as they are, big numbers included. */
export interface ValidationRequest {
  readonly id: number
  readonly schemaText: string
  readonly text: string
}

export interface ValidationReply {
  readonly id: number
  readonly issues: readonly ValidationIssue[]
}

let known:
  | { readonly schemaText: string; readonly validate: ReturnType<typeof createBrowserValidator> }
  | undefined

addEventListener('message', ({ data }: MessageEvent<ValidationRequest>) => {
  if (known?.schemaText !== data.schemaText)
    known = {
      schemaText: data.schemaText,
      validate: createBrowserValidator(JSON.parse(data.schemaText) as JsonSchema),
    }
  const reading = readJson(data.text)
  const value: Json = (reading.ok ? reading.value : undefined) ?? {}
  postMessage({ id: data.id, issues: known.validate(value).issues } satisfies ValidationReply)
})
