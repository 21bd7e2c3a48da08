import { createBrowserValidator } from '../../../core/schema/browser-validator.ts'
import { callerSchema } from '../../../core/schema/caller-schema.ts'
import { type Json, readJson } from '../../../core/schema/json-text.ts'
import type { JsonSchema } from '../../../core/tool.ts'

/** The page's verdict on each text. */
export function judgeInBrowser(schema: JsonSchema, texts: readonly string[]): string[] {
  const judge = createBrowserValidator(callerSchema(schema))
  return texts.map(text => {
    const reading = readJson(text)
    return judge((reading.ok ? reading.value : undefined) ?? ({} as Json)).verdict
  })
}
