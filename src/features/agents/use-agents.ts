import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../../api/backend.ts'
import { agentsQuery } from '../../api/queries.ts'

/** All agents of the catalog; undefined until the first answer. */
export function useAgents() {
  return useQuery(agentsQuery(useBackend()))
}
