/** A manifest that lies behind an address as plain JSON. */
import { AppError } from '../../core/errors.ts'
import { parseManifestText } from '../../core/manifest/parse-manifest-text.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import { fetchAddress, shown } from './fetch-address.ts'

const fetchTimeoutMs = 15_000

/**
 * Null where the text is no address, or what answers there is no JSON document: it may be a server. Throws AppError
 * `manifest-…` where an address that ends with `.json` holds something else.
 */
export async function fetchManifest(address: string, signal: AbortSignal): Promise<Manifest | null> {
  if (!/^https?:\/\/\S+$/i.test(address) || !URL.canParse(address)) return null
  const named = new URL(address).pathname.endsWith('.json')
  const text = await fetchText(address, AbortSignal.any([signal, AbortSignal.timeout(fetchTimeoutMs)])).catch(
    (thrown: unknown) => {
      if (named || signal.aborted) throw thrown
      return null
    },
  )
  if (text === null) return null
  try {
    return parseManifestText(text, shown(address))
  } catch (thrown) {
    if (named) throw thrown
    return null
  }
}

/** The body where it can be a document: answered with success, and not a stream of events. */
async function fetchText(address: string, signal: AbortSignal): Promise<string | null> {
  const response = await fetchAddress(address, { signal, headers: { Accept: 'application/json' } })
  const type = response.headers.get('content-type') ?? ''
  if (response.ok && !/^text\/(?:event-stream|html)\b/i.test(type)) return response.text()
  await response.body?.cancel()
  if (new URL(address).pathname.endsWith('.json'))
    throw new AppError('source-failed', `${shown(address)} answered ${response.status} ${type}`.trim())
  return null
}
