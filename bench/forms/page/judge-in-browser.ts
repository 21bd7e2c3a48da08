import type { ValidationIssue } from '../../../core/call/invocation.ts'
import type { Json } from '../../../core/json/json.ts'
import { readJson } from '../../../core/json/json-text.ts'
import { callerSchema } from '../../../core/json-schema/caller-schema.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'
import { createBrowserValidator } from '../../../core/validation/browser-validator.ts'

/** What the page would show at the fields. */
export function issuesInBrowser(schema: JsonSchema, text: string): readonly ValidationIssue[] {
  const reading = readJson(text)
  return createBrowserValidator(callerSchema(schema))((reading.ok ? reading.value : undefined) ?? {}).issues
}

/** The page's verdict on each text. */
export function judgeInBrowser(schema: JsonSchema, texts: readonly string[]): string[] {
  const judge = createBrowserValidator(callerSchema(schema))
  return texts.map(text => {
    const reading = readJson(text)
    return judge((reading.ok ? reading.value : undefined) ?? ({} as Json)).verdict
  })
}
