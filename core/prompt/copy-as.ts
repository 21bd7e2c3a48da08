/** The recipes of "Copy as": one call as text to paste elsewhere. */

import { getIncurMapping, incurWords } from '../manifest/incur.ts'
import { formatShellCommand, quoteForShell, quoteWithVariables } from '../text/shell.ts'
import { variableEnvironmentName } from '../tool/agent.ts'
import { isSecretName, type SecretFields } from '../tool/is-secret.ts'
import { leaveOutOfText } from '../tool/left-out.ts'
import { mask } from '../tool/mask.ts'
import { nameSegments, type Tool } from '../tool/tool.ts'

/** The fields of the tool's source that a recipe uses (`SourceState` of the API has more). */
interface CopySource {
  readonly kind: string
  readonly label: string
  readonly format?: string
  readonly toolCount: number
  readonly argument?: string
  /** The options that `argument` needs. Secrets of the headers are `${NAME}`. */
  readonly argumentOptions?: {
    readonly headers?: Readonly<Record<string, string>>
    readonly directory?: string
  }
  /** The file that names it, absolute. */
  readonly origin?: { readonly file?: string }
  readonly inputFlag?: string
}

export interface CopyContext {
  readonly tool: Pick<Tool, 'ref' | 'source' | 'name' | 'inputSchema' | 'extra'>
  readonly source: CopySource
  /** JSON on one line, secrets masked; from `copyInput`. */
  readonly input: string
  /** The agent's variables for the call, secrets masked; empty if there are none. */
  readonly variables: Readonly<Record<string, string>>
  /** Answers to the server's questions, as JSON on one line, secrets masked; absent without questions. */
  readonly answers?: string | undefined
  /** The address of this program's server: `http://127.0.0.1:4477`. */
  readonly origin: string
}

/** Returns a text to paste, or undefined if the tool cannot be called that way. */
type Recipe = (context: CopyContext) => string | undefined

interface CopyInput {
  readonly text: string
  readonly masked: boolean
}

/**
 * Returns undefined if `text` is not JSON. Empty text is `{}`.
 *
 * @param marker replaces the secrets in a restored input
 */
export function copyInput(text: string, fields: SecretFields, marker?: string): CopyInput | undefined {
  if (text.trim() === '') return { text: '{}', masked: false }
  const found = leaveOutOfText(text, fields, { marker: marker ?? mask })
  return found && { text: oneLine(found.kept), masked: found.marker !== undefined }
}

/** Returns the variables with secrets masked. */
export function copyVariables(variables: Readonly<Record<string, string>>): {
  readonly values: Readonly<Record<string, string>>
  readonly masked: boolean
} {
  const isHidden = ([name, value]: readonly [string, string]) => isSecretName(name) && value !== ''
  const entries = Object.entries(variables)
  return {
    values: Object.fromEntries(entries.map(entry => (isHidden(entry) ? [entry[0], mask] : entry))),
    masked: entries.some(isHidden),
  }
}

/** Returns JSON text without the white space between its tokens. */
function oneLine(text: string): string {
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_found, string: string | undefined) => string ?? '')
}

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

/** Only for programs and functions directories: other sources cannot be called with a command. */
export const shellCommand: Recipe = context => {
  if (context.source.kind === 'functions-directory') return functionCommand(context)
  if (context.source.kind !== 'llms-program') return undefined
  return context.source.format === 'incur' ? incurCommand(context) : llmsCommand(context)
}

function llmsCommand({ tool, source, input }: CopyContext): string {
  const segments = nameSegments(tool.name)
  const program = source.label.split(' ').at(-1)?.split('/').at(-1) ?? ''
  const isProgram =
    source.toolCount === 1 &&
    segments.length === 1 &&
    (program === tool.name || program.startsWith(`${tool.name}.`))
  const words = [...(isProgram ? [] : segments), source.inputFlag ?? '--json', input]
  return `${source.label} ${formatShellCommand(words)}`
}

/** incur's names are absolute, even in a sub-program, so words that the label already has are omitted. */
function incurCommand({ tool, source, input }: CopyContext): string | undefined {
  const said = incurWords(input, getIncurMapping(tool))
  if ('refusal' in said) return undefined
  const segments = nameSegments(tool.name)
  const labelWords = source.label.split(' ')
  const known = segments
    .map((_, index) => index + 1)
    .filter(count => labelWords.slice(-count).join(' ') === segments.slice(0, count).join(' '))
  const rest = segments.slice(Math.max(0, ...known))
  return `${source.label} ${formatShellCommand([...rest, ...said.words, '--format', 'json'])}`
}

function functionCommand({ tool, source, input, variables }: CopyContext): string | undefined {
  const { extra = {} } = tool
  // A tool that is called through the bridge or is not built has no program.
  if (extra.throughBridge === true || extra.unbuilt === true) return undefined
  const isAgents =
    extra.agent === true && typeof extra.agentName === 'string' && typeof extra.functionName === 'string'
  const words = isAgents ? [String(extra.agentName), String(extra.functionName)] : [tool.name]
  const [program = '', ...rest] = words
  const environment = Object.entries(variables).flatMap(([name, value]) => {
    const variable = variableEnvironmentName(name)
    return variable === null ? [] : [`${variable}=${formatShellCommand([value])}`]
  })
  const folder = source.label.replace(/(?<=.)\/+$/, '')
  return [
    ...environment,
    formatShellCommand([`${folder.includes('/') ? folder : `./${folder}`}/bin/${program}`, ...rest, input]),
  ].join(' ')
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
