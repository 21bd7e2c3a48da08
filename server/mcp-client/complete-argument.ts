/** Requests a server's suggestions for an argument of a prompt or a variable of a template (`completion/complete`). */
import type { Client } from '@modelcontextprotocol/client'
import { isObject, own } from '../../core/json/json.ts'
import type { Callable } from '../../core/tool/tool.ts'
import type { ArgumentText } from '../sources/source.ts'
import { anything } from './lenient-client.ts'

/** MCP's limit. */
const maxValues = 100
const maxCharacters = 1_000
/** A later answer is useless, because the user has continued typing. */
const completionTimeoutMs = 5_000

/** Rejects if the server refuses or does not answer. */
export async function completeArgument(
  client: Client,
  { kind, name, uri }: Callable,
  { argument, text, others }: ArgumentText,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const ref = kind === 'prompt' ? { type: 'ref/prompt', name } : { type: 'ref/resource', uri }
  const params = { ref, argument: { name: argument, value: text }, context: { arguments: others } }
  const options = { signal, timeout: completionTimeoutMs }
  const answer = await client.request({ method: 'completion/complete', params }, anything, options)
  const completion = isObject(answer) ? own(answer, 'completion') : undefined
  const values = isObject(completion) ? own(completion, 'values') : undefined
  if (!Array.isArray(values)) return []
  const texts = values.filter(value => typeof value === 'string' && value.length <= maxCharacters)
  return [...new Set<string>(texts)].slice(0, maxValues)
}
