import type { Backend } from './backend.ts'
import { endpointQuery } from './queries.ts'

/** One message with its text. It does not change; the wire may drop it. */
export function wireMessageQuery(backend: Backend, source: string, seq: number) {
  return {
    ...endpointQuery(backend, ['wire', source, 'message', seq], 'GET /api/sources/{name}/wire/{seq}', {
      params: { name: source, seq },
    }),
    // Clear gives the numbers of the wire no new meaning, but a source that was added again does.
    staleTime: 60_000,
  }
}

/** Whether the wire still has messages of a call. */
export function wireOfCallQuery(backend: Backend, source: string, callId: string) {
  return {
    ...endpointQuery(backend, ['wire', source, 'call', callId], 'GET /api/sources/{name}/wire', {
      params: { name: source },
      query: { callId, limit: 1 },
    }),
    staleTime: 0,
    retry: false,
  }
}

const recordingsKey = ['wire', 'recordings']

/** The recordings of this server, read again while one runs. */
export function recordingsQuery(backend: Backend) {
  const query = endpointQuery(backend, recordingsKey, 'GET /api/recordings', {})
  return {
    ...query,
    staleTime: 0,
    refetchInterval: (now: {
      state: { data?: { recordings: readonly { isRunning: boolean }[] } | undefined }
    }) => (now.state.data?.recordings.some(({ isRunning }) => isRunning) ? 2_000 : (false as const)),
  }
}
