/** What `<tool> --dry-run` prints: the input as it would be sent, and whether it fits the schema. */
import type { Validation } from '../call/invocation.ts'
import type { JsonObject } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'

/** One line of JSON, keys in alphabetical order; `errors` only where there are some. A schema that could not be applied says so in `note`. */
export function dryRunText(tool: string, input: JsonObject, validation: Validation): string {
  const { verdict, issues, note } = validation
  const errors = issues.map(({ path, message }) => ({ message, path }))
  const document = {
    dry_run: true,
    ...(errors.length > 0 ? { errors } : {}),
    ...(verdict === 'unchecked' && note !== undefined ? { note } : {}),
    params: input,
    tool,
    valid: verdict !== 'invalid',
  }
  return `${writeJson(document, 0)}\n`
}
