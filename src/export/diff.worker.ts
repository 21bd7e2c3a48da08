/// <reference lib="webworker" />
/** Compares two manifests in a worker, because containment checks may take seconds. */
import type { DiffReport, DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { rulesOptions, type TeamRules } from '../../core/diff/team-rules.ts'
import { answerWorkerRequests } from '../api/worker-requests.ts'

export interface ExportDiffRequest {
  readonly a: DiffSide
  readonly b: DiffSide
  readonly strict: boolean
  readonly rules: TeamRules
}

export type DiffReply = { readonly report: DiffReport } | { readonly failed: string }

answerWorkerRequests<ExportDiffRequest, DiffReply>(async ({ a, b, strict, rules }) => {
  try {
    return { report: await diffManifests(a, b, { ...rulesOptions(rules), strict }) }
  } catch (thrown) {
    return { failed: String(thrown) }
  }
})
