import { useQuery } from '@tanstack/react-query'
import { type EndpointKey, useBackend } from './backend.ts'
import { rightsQuery } from './queries.ts'

/** Returns why the server refuses the endpoint, for a disabled control; undefined if it is allowed. */
export function useRefusal(key: EndpointKey): string | undefined {
  return useQuery(rightsQuery(useBackend())).data?.refused[key]
}

/** Returns the person whose token or sign-in the page uses; undefined for the token of the server. */
export function usePerson() {
  return useQuery(rightsQuery(useBackend())).data?.person
}
