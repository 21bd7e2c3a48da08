/** The thread that compares the versions of a changelog, because containment checks may take seconds. */

import { rulesOptions, type TeamRules } from '../../core/diff/team-rules.ts'
import type { ChangelogVersion } from '../../core/report/changelog.ts'
import { makeChangelog } from '../../core/report/make-changelog.ts'
import { answerThreadRequests } from '../workers/answer-requests.ts'

export interface ChangelogRequest {
  /** Oldest first. */
  readonly versions: readonly ChangelogVersion[]
  readonly hasOlder: boolean
  readonly maxBreaks: number
  /** For the containment checks of all comparisons together. */
  readonly steps: number
  readonly rules: TeamRules
}

answerThreadRequests(({ versions, rules, ...options }: ChangelogRequest) =>
  makeChangelog(versions, { ...options, ...rulesOptions(rules) }),
)
