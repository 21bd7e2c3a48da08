import { withoutUndefined } from '../../../core/json/json.ts'
import { pickChoice, textParameter, usePageSearch } from '../../ui/route-search.ts'

/** The kinds of JSON-RPC, then the parts of a message that are something else. */
export const wireKinds = [
  'request',
  'notification',
  'result',
  'error',
  'event',
  'response',
  'start',
  'stdout',
  'stderr',
  'end',
] as const

/**
 * Parses the state of the wire page that the URL contains: the source, the filters and the open message. Never throws:
 * unknown keys and values are dropped.
 */
export function parseWireSearch(search: Record<string, unknown>) {
  const message = textParameter(search.message, 15)
  return withoutUndefined({
    source: textParameter(search.source, 1000),
    /** Id of the call whose messages are listed. */
    call: textParameter(search.call, 200),
    text: textParameter(search.text, 500),
    direction: pickChoice(search.direction, ['sent', 'received']),
    kind: pickChoice(search.kind, wireKinds),
    only: pickChoice(search.only, ['errors', 'violations']),
    /** Number of the open message. */
    message: message !== undefined && /^[1-9]\d*$/.test(message) ? message : undefined,
  })
}

export type WireSearch = ReturnType<typeof parseWireSearch>

export const useWireSearch = () => usePageSearch('/wire', parseWireSearch)
