/** Reads a manifest from an address that serves it as plain JSON. */
import { AppError } from '../../core/errors.ts'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { isTimeLimit, runWithLimit } from '../process/run-with-limit.ts'
import { fetchAddress, hideAddressSecrets, readResponseText } from './fetch-address.ts'

const fetchTimeoutMs = 15_000

/**
 * Returns null if the text is not an address, or if the response is not a JSON document: it may be a server. Throws
 * AppError `manifest-…` if an address that ends with `.json` contains something else, `source-timeout` if it does not
 * answer in time.
 */
export async function fetchManifest(
  address: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Manifest | null> {
  if (!/^https?:\/\/\S+$/i.test(address) || !URL.canParse(address)) return null
  const named = new URL(address).pathname.endsWith('.json')
  const text = await runWithLimit([signal], fetchTimeoutMs, stop => fetchText(address, stop, headers)).catch(
    (thrown: unknown) => {
      if (!named && !signal.aborted) return null
      if (signal.aborted || !isTimeLimit(thrown)) throw thrown
      throw new AppError(
        'source-timeout',
        `${hideAddressSecrets(address)} did not answer within ${fetchTimeoutMs / 1000} s`,
        {
          hint: 'Is the server running, and does it answer there? Find out what it waits for.',
        },
      )
    },
  )
  if (text === null) return null
  try {
    return parseManifestText(text, hideAddressSecrets(address))
  } catch (thrown) {
    if (named) throw thrown
    return null
  }
}

/** Returns the body if it can be a document: a successful response that is not an event stream. */
async function fetchText(
  address: string,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>>,
): Promise<string | null> {
  const response = await fetchAddress(address, {
    signal,
    headers: { ...headers, Accept: 'application/json' },
  })
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && !/^text\/(?:event-stream|html)\b/i.test(type)) return readResponseText(response, address)
  await response.body?.cancel()
  if (new URL(address).pathname.endsWith('.json'))
    throw new AppError(
      'source-failed',
      `${hideAddressSecrets(address)} answered ${response.status} ${type}`.trim(),
    )
  return null
}
