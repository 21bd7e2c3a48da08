/** The SDK's client, minus what would lose a payload: results are taken as they come and judged by us. */
import { Client, type ClientOptions, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import { version } from '../../package/version.ts'

/** Accepts everything: the SDK would refuse a result that is a little wrong, and what came would be gone. */
export const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'toolscope', validate: value => ({ value }) },
}

/** @param probeTimeoutMs how long the server may take for the first request, which one of the old era may not know */
export function createClient(onToolsChanged: () => void, probeTimeoutMs: number): Client {
  const options: ClientOptions = {
    capabilities: {},
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTimeoutMs } },
    // A debounce would wait for as long as a server sends: the connection to the source bounds the rate.
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: onToolsChanged } },
  }
  return new Client({ name: 'toolscope', version }, options)
}
