import type { Recipe } from './copy-context.ts'
import { quoteForShell } from './shell-quote.ts'

/** curl to the bridge that the tool comes from. */
export const curlBridge: Recipe = ({ tool, source, input }) =>
  source.kind === 'bridge-url'
    ? [
        `curl -sS ${quoteForShell(`${source.label.replace(/\/+$/, '')}/tools/${encodeURIComponent(tool.name)}`)}`,
        `  -H 'Content-Type: application/json'`,
        `  --data-raw ${quoteForShell(input)}`,
      ].join(' \\\n')
    : undefined
