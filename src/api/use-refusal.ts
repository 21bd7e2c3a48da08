import { useQuery } from '@tanstack/react-query'
import { type EndpointKey, useBackend } from './backend.ts'
import { rightsQuery } from './queries.ts'

/** Why this server refuses what needs the endpoint, for a control that is off; undefined where it is allowed. */
export function useRefusal(key: EndpointKey): string | undefined {
  return useQuery(rightsQuery(useBackend())).data?.refused[key]
}
