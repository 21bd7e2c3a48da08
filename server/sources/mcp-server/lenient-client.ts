/** The SDK's client, minus what would lose a payload: results are taken as they come and judged by us. */
import { Client, type ClientOptions, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import { version } from '../../package/version.ts'

/** Accepts everything: the SDK would refuse a result that is a little wrong, and what came would be gone. */
export const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'toolscope', validate: value => ({ value }) },
}

/** How long a server may think about a first question it may not know before it is taken for one of the old era. */
const PROBE_TIMEOUT_MS = 4_000

export function createClient(onToolsChanged: () => void): Client {
  const options: ClientOptions = {
    capabilities: {},
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_TIMEOUT_MS } },
    listChanged: { tools: { autoRefresh: false, debounceMs: 100, onChanged: onToolsChanged } },
  }
  return new Client({ name: 'toolscope', version }, options)
}
