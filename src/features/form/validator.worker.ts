/// <reference lib="webworker" />
/** Judges drafts beside the page: a pattern that never ends stops this worker, not the page. */

import type { Json } from '../../../core/json/json.ts'
import { readJson } from '../../../core/json/json-text.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createBrowserValidator } from '../../../core/validation/browser-validator.ts'
import type { JudgeAnswer, JudgeRequest } from './judge-protocol.ts'

let known:
  | { readonly schemaText: string; readonly judge: ReturnType<typeof createBrowserValidator> }
  | undefined

addEventListener('message', ({ data }: MessageEvent<JudgeRequest>) => {
  if (known?.schemaText !== data.schemaText)
    known = {
      schemaText: data.schemaText,
      judge: createBrowserValidator(JSON.parse(data.schemaText) as JsonSchema),
    }
  const reading = readJson(data.text)
  const value: Json = (reading.ok ? reading.value : undefined) ?? {}
  postMessage({ id: data.id, issues: known.judge(value).issues } satisfies JudgeAnswer)
})
