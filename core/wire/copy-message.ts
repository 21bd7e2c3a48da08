/** A message of the wire as text to paste into a shell. */
import { formatShellCommand, quoteForShell } from '../text/shell.ts'
import { readRpc, type WireMessage } from './wire-message.ts'

/** Headers that curl writes itself, or that belong to one connection. */
const ownHeaders: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'transfer-encoding',
])

/** Returns an HTTP request as a curl command; undefined for any other message. Masked secrets stay masked. */
export function copyAsCurl({ part, http, text }: WireMessage): string | undefined {
  if (part !== 'request' || http?.url === undefined) return undefined
  const { method = 'POST', url, headers = {} } = http
  const lines = [
    `curl -sS -N -X ${quoteForShell(method)} ${quoteForShell(url)}`,
    ...Object.entries(headers)
      .filter(([name]) => !ownHeaders.has(name.toLowerCase()))
      .map(([name, value]) => `  -H ${quoteForShell(`${name}: ${value}`)}`),
    ...(text === '' ? [] : [`  --data-raw ${quoteForShell(text)}`]),
  ]
  return lines.join(' \\\n')
}

/** Returns the command of a program's run, with the variables that the source sets; undefined for any other message. */
export function copyAsCommand({ run }: WireMessage): string | undefined {
  if (run?.argv === undefined) return undefined
  const variables = Object.entries(run.environment ?? {}).map(([name, value]) => `${name}=${value}`)
  const command = formatShellCommand(variables.length === 0 ? run.argv : ['env', ...variables, ...run.argv])
  return run.directory === undefined ? command : `cd ${quoteForShell(run.directory)} && ${command}`
}

/** Returns a message of JSON-RPC on one line, as stdio requires it; undefined if the text is something else. */
export function copyAsLine({ text }: Pick<WireMessage, 'text'>): string | undefined {
  if (readRpc(text) === undefined) return undefined
  return text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, (_found, quoted: string | undefined) => quoted ?? '')
}
