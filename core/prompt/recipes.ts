/** The recipes of "Copy as": one call as text to paste elsewhere. */

import { formatShellCommand, quoteForShell, quoteWithVariables } from '../text/shell.ts'
import type { CopyContext, Recipe } from './copy-input.ts'
import { shellCommand } from './shell-command.ts'

/** The members of the body of `POST /api/invocations`, as JSON texts, so that big numbers keep their digits. */
function invocationMembers({ tool, input, variables, answers }: CopyContext): [string, string][] {
  const options = [
    ...(Object.keys(variables).length === 0 ? [] : [`"variables":${JSON.stringify(variables)}`]),
    ...(answers === undefined ? [] : [`"answers":${answers}`]),
  ]
  return [
    ['ref', JSON.stringify(tool.ref)],
    ['input', input],
    ...(options.length === 0 ? [] : [['options', `{${options.join(',')}}`] as [string, string]]),
  ]
}

const invocationBodyText = (context: CopyContext) =>
  `{${invocationMembers(context)
    .map(([name, text]) => `"${name}":${text}`)
    .join(',')}}`

/**
 * Calls this program's API with curl. The text contains no token: it is that of `TOOLSCOPE_TOKEN`, which the program also
 * reads, else `toolscope token` prints it.
 */
export const curlApi: Recipe = context =>
  [
    `curl -sS ${quoteForShell(`${context.origin}/api/invocations`)}`,
    `  -H "Authorization: Bearer \${TOOLSCOPE_TOKEN:-$(toolscope token ${quoteForShell(context.origin)})}"`,
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

/**
 * Calls this program's API in TypeScript, for Node. The body is an object, unless a value changes when JavaScript reads it
 * (a big number): then it is JSON text.
 */
export const fetchTypescript: Recipe = context => {
  const members = invocationMembers(context).map(([name, text]) => `${name}: ${objectLiteral(text)}`)
  const body = isWrittenUnchanged(invocationBodyText(context))
    ? `JSON.stringify({ ${members.join(', ')} })`
    : JSON.stringify(invocationBodyText(context))
  const origin = JSON.stringify(context.origin)
  return `import { execFileSync } from 'node:child_process'

const token = process.env.TOOLSCOPE_TOKEN ?? execFileSync('toolscope', ['token', ${origin}], { encoding: 'utf8' }).trim()
const response = await fetch(${JSON.stringify(`${context.origin}/api/invocations`)}, {
  method: 'POST',
  headers: { authorization: \`Bearer \${token}\`, 'content-type': 'application/json' },
  body: ${body},
})
if (!response.ok) throw new Error(await response.text())
// One event a line; the last is the result, or the failure.
const events = (await response.text()).trim().split('\\n').map(line => JSON.parse(line))
console.log(events.at(-1))
`
}

/** Returns whether JavaScript writes this JSON as it was: with the digits of its numbers, and every member. */
const isWrittenUnchanged = (json: string) =>
  !json.includes('"__proto__"') && JSON.stringify(JSON.parse(json)) === json

/** Returns JSON as an object literal: names without quotes if they need none, and spaces between the members. */
function objectLiteral(json: string): string {
  const spaced = JSON.stringify(JSON.parse(json), null, 1).replace(/\n */g, ' ')
  return spaced.replace(/("(?:[^"\\]|\\.)*")(:)?/g, (_, text: string, colon = '') =>
    colon !== '' && /^"[A-Za-z_$][\w$]*"$/.test(text) ? `${text.slice(1, -1)}:` : `${text}${colon}`,
  )
}

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
  // The name of a source of toolscope.json is known to that file only.
  const file = source.origin?.file
  const config = file === undefined || source.argument.includes(file) ? [] : ['--config', file]
  const { headers = {}, directory } = source.argumentOptions ?? {}
  const startsIn = directory === undefined ? [] : ['--cwd', directory]
  const words = [
    'toolscope',
    'call',
    name,
    source.argument,
    '--input',
    input,
    ...given,
    ...config,
    ...startsIn,
  ]
  const headerOptions = Object.entries(headers).map(header => `-H ${quoteWithVariables(header.join(': '))}`)
  return [formatShellCommand(words), ...headerOptions].join(' ')
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
