/** The thread that compares two manifests: the questions of containment may take seconds. */
import type { DiffAnswer } from '../../core/api/versions.ts'
import type { DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { answerRequests } from '../workers/answer-requests.ts'

export type DiffRequest =
  | { readonly wanted: 'answer'; readonly a: DiffAnswer['a']; readonly b: DiffAnswer['b'] }
  /** `milliseconds` for all containment questions together. */
  | {
      readonly wanted: 'counts'
      readonly before: DiffSide
      readonly after: DiffSide
      readonly milliseconds: number
    }

/** JSON text: a report of megabytes would hold up the main thread, which would read it as objects and write it again. */
answerRequests(async (request: DiffRequest) => {
  if (request.wanted === 'counts')
    return JSON.stringify((await diffManifests(request.before, request.after, request)).counts)
  const { a, b } = request
  return JSON.stringify({ a, b, report: await diffManifests(a.side, b.side) } satisfies DiffAnswer)
})
