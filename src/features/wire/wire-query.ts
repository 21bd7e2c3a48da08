/** The filters of the wire as the server reads them. */
import { withoutUndefined } from '../../../core/json/json.ts'
import type { RequestTo } from '../../api/backend.ts'
import type { WireSearch } from './wire-search.ts'

export type WireQuery = Omit<
  NonNullable<RequestTo<'GET /api/sources/{name}/wire'>['query']>,
  'after' | 'before' | 'limit' | 'wait'
>

/** Returns the query to the server for the filters. */
export function toWireQuery({ call, kind, text, direction, only }: WireSearch): WireQuery {
  return withoutUndefined({ text, direction, only, callId: call, ...toKind(kind) })
}

function toKind(kind: WireSearch['kind']): Pick<WireQuery, 'kind' | 'part'> {
  switch (kind) {
    case undefined:
      return {}
    case 'request':
    case 'notification':
    case 'result':
    case 'error':
      return { kind }
    default:
      return { part: kind }
  }
}

/** Returns whether any filter is set. */
export const isFiltered = (search: WireSearch) => Object.keys(toWireQuery(search)).length > 0

/** The change that removes every filter. */
export const withoutFilters = {
  call: undefined,
  text: undefined,
  direction: undefined,
  kind: undefined,
  only: undefined,
} as const
