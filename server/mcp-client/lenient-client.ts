/** The SDK's client without its validation: results are passed on unchanged, and Toolscope checks them. */
import { Client, type ClientOptions, type StandardSchemaV1 } from '@modelcontextprotocol/client'
import { version } from '../process/version.ts'

/** Accepts everything: the SDK would reject a slightly invalid result, and its payload would be lost. */
export const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'toolscope', validate: value => ({ value }) },
}

/** @param probeTimeoutMs milliseconds for the first request, which a server of the old era may not know */
export function createClient(onListChanged: () => void, probeTimeoutMs: number): Client {
  // A debounce would wait as long as the server keeps sending; the source's connection limits the rate instead.
  const changed = { autoRefresh: false, debounceMs: 0, onChanged: onListChanged }
  const options: ClientOptions = {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeTimeoutMs } },
    listChanged: { tools: changed, prompts: changed, resources: changed },
  }
  return new Client({ name: 'toolscope', version }, options)
}
