/** The SDK's client, minus what would lose a payload: results are taken as they come and judged by us. */
import { Client, type ClientOptions, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import { version } from '../process/version.ts'

/** Accepts everything: the SDK would refuse a result that is a little wrong, and what came would be gone. */
export const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'toolscope', validate: value => ({ value }) },
}

/** @param probeTimeoutMs how long the server may take for the first request, which one of the old era may not know */
export function createClient(onListChanged: () => void, probeTimeoutMs: number): Client {
  // A debounce would wait for as long as a server sends: the connection to the source bounds the rate.
  const changed = { autoRefresh: false, debounceMs: 0, onChanged: onListChanged }
  const options: ClientOptions = {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTimeoutMs } },
    listChanged: { tools: changed, prompts: changed, resources: changed },
  }
  return new Client({ name: 'toolscope', version }, options)
}
