/** The thread that compares two manifests: the questions of containment may take seconds. */
import type { DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { answerRequests } from '../workers/answer-requests.ts'

export interface DiffRequest {
  readonly before: DiffSide
  readonly after: DiffSide
  /** Milliseconds for all containment questions together. */
  readonly milliseconds?: number
}

answerRequests(({ before, after, ...options }: DiffRequest) => diffManifests(before, after, options))
