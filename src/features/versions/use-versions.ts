import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'

const firstLimit = 20
const lastLimit = 500

/** The versions of a source, or with `ref` those that touched a tool, and the way to older ones. */
export function useVersions(source: string, ref?: string) {
  const [limit, setLimit] = useState(firstLimit)
  const { data, error } = useQuery(versionsQuery(useBackend(), source, limit, ref))
  return { list: data, error, showMore: () => setLimit(Math.min(lastLimit, limit * 5)) }
}
