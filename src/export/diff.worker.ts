/// <reference lib="webworker" />
/** Compares two manifests beside the page: the questions of containment may take seconds. */
import type { DiffReport, DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { answerRequests } from '../api/worker-requests.ts'

export interface DiffRequest {
  readonly a: DiffSide
  readonly b: DiffSide
  readonly strict: boolean
}

export type DiffReply = { readonly report: DiffReport } | { readonly failed: string }

answerRequests<DiffRequest, DiffReply>(async ({ a, b, strict }) => {
  try {
    return { report: await diffManifests(a, b, { strict }) }
  } catch (thrown) {
    return { failed: String(thrown) }
  }
})
