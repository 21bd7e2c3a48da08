/**
 * Makes changelogs on a thread of its own, so that they delay neither the server nor the comparisons of the diff page.
 */

import type { TeamRules } from '../../core/diff/team-rules.ts'
import { AppError } from '../../core/errors.ts'
import type { ChangelogEntry } from '../../core/report/changelog.ts'
import { workerFile } from '../workers/worker-file.ts'
import { WorkerError, WorkerPool } from '../workers/worker-pool.ts'
import type { ChangelogRequest } from './changelog-worker.ts'
import type { ChosenVersions } from './choose-versions.ts'

/** A safety net, as for a comparison (diff-service.ts): the work itself is limited in steps. */
const timeoutMs = 60_000
/** For the containment checks of one page. */
const maxSteps = 5_000_000
/** For one version. Higher than what a page shows, because removed and renamed tools count too. */
const maxBreaks = 60

/** Rejects with AppError `request-invalid` if it takes longer than a minute. */
export type MakeEntries = (
  chosen: Pick<ChosenVersions, 'versions' | 'hasOlder'>,
  rules: TeamRules,
) => Promise<readonly ChangelogEntry[]>

export function createChangelogService(): { readonly make: MakeEntries; close(): Promise<void> } {
  const pool = new WorkerPool<ChangelogRequest, ChangelogEntry[]>(workerFile('changelog-worker'), 1)
  return {
    async make({ versions, hasOlder }, rules) {
      try {
        return await pool.request(() => ({ versions, hasOlder, maxBreaks, steps: maxSteps, rules }), {
          timeoutMs,
        })
      } catch (thrown) {
        if (!(thrown instanceof WorkerError) || thrown.reason !== 'timeout') throw thrown
        throw new AppError('request-invalid', `the comparisons took longer than ${timeoutMs / 1000} s`, {
          hint: 'Run `toolscope changelog`, which has no limit.',
          cause: thrown,
        })
      }
    },
    close: () => pool.close(),
  }
}
