/** The recipes of "Copy as": one call as text to paste elsewhere. */

import { quoteForShell, shellWords } from '../text/shell.ts'
import type { CopyContext, Recipe } from './copy-input.ts'
import { shellCommand } from './shell-command.ts'

/** The body of `POST /api/invocations`. The input is inserted as text, so that big numbers keep their digits. */
function invocationBodyText({ tool, input, variables, answers }: CopyContext): string {
  const members = [
    ...(Object.keys(variables).length === 0 ? [] : [`"variables":${JSON.stringify(variables)}`]),
    ...(answers === undefined ? [] : [`"answers":${answers}`]),
  ]
  const options = members.length === 0 ? '' : `,"options":{${members.join(',')}}`
  return `{"ref":${JSON.stringify(tool.ref)},"input":${input}${options}}`
}

/**
 * Calls this program's API with curl. The text contains no token: the user sets `TOOLSCOPE_TOKEN`, which the program
 * also reads.
 */
export const curlApi: Recipe = context =>
  [
    `curl -sS ${quoteForShell(`${context.origin}/api/invocations`)}`,
    `  -H "Authorization: Bearer $TOOLSCOPE_TOKEN"`,
    `  -H 'Content-Type: application/json'`,
    `  --data-raw ${quoteForShell(invocationBodyText(context))}`,
  ].join(' \\\n')

/** Calls the bridge that the tool comes from with curl. */
export const curlBridge: Recipe = ({ tool, source, input }) =>
  source.kind === 'bridge-url'
    ? [
        `curl -sS ${quoteForShell(`${source.label.replace(/\/+$/, '')}/tools/${encodeURIComponent(tool.name)}`)}`,
        `  -H 'Content-Type: application/json'`,
        `  --data-raw ${quoteForShell(input)}`,
      ].join(' \\\n')
    : undefined

/** Calls this program's API in TypeScript, for Node. The body is text, so that big numbers keep their digits. */
export const fetchTypescript: Recipe =
  context => `const response = await fetch(${JSON.stringify(`${context.origin}/api/invocations`)}, {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.TOOLSCOPE_TOKEN}\`,
    'content-type': 'application/json',
  },
  body: ${JSON.stringify(invocationBodyText(context))},
})
if (!response.ok) throw new Error(await response.text())
// One event a line; the last is the result, or the failure.
const events = (await response.text()).trim().split('\\n').map(line => JSON.parse(line))
console.log(events.at(-1))
`

/** MCP's `tools/call`, as the message that a client sends. The input is inserted as text. */
export const mcpRequest: Recipe = ({ tool, input }) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool.name)},"arguments":${input}}}`

/** The same call with the toolscope command. Undefined for a source without an argument (a dropped file). */
export const toolscopeCall: Recipe = ({ tool, source, input, variables, answers }) => {
  if (source.argument === undefined) return undefined
  const given = Object.keys(variables).length === 0 ? [] : ['--variables', JSON.stringify(variables)]
  if (answers !== undefined) given.push('--answers', answers)
  // The source may have another name on the command line, so the reference omits it.
  const path = tool.ref.slice(tool.source.length + 1)
  // A name that begins with a dash would be read as an option.
  const name = path.startsWith('-') ? tool.ref : path
  return shellWords(['toolscope', 'call', name, source.argument, '--input', input, ...given])
}

/** In the order of the menu. */
export const recipes = [
  { id: 'shell', title: 'Shell command', make: shellCommand },
  { id: 'toolscope', title: 'toolscope call', make: toolscopeCall },
  { id: 'curl-bridge', title: 'curl to the bridge', make: curlBridge },
  { id: 'curl', title: 'curl to Toolscope', make: curlApi },
  { id: 'fetch', title: 'TypeScript fetch', make: fetchTypescript },
  { id: 'mcp', title: 'MCP tools/call', make: mcpRequest },
] as const satisfies readonly { readonly id: string; readonly title: string; readonly make: Recipe }[]
