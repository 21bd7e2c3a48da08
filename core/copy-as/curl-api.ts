import type { Recipe } from './copy-context.ts'
import { invocationBodyText } from './invocation-body.ts'
import { quoteForShell } from './shell-quote.ts'

/** curl to our own API. The token is the reader's to set: `TOOLSCOPE_TOKEN` is what the program reads it from as well. */
export const curlApi: Recipe = context =>
  [
    `curl -sS ${quoteForShell(`${context.origin}/api/invocations`)}`,
    `  -H "Authorization: Bearer $TOOLSCOPE_TOKEN"`,
    `  -H 'Content-Type: application/json'`,
    `  --data-raw ${quoteForShell(invocationBodyText(context))}`,
  ].join(' \\\n')
