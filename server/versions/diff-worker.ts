/** The thread that compares two manifests: the questions of containment may take seconds. */
import type { DiffAnswer } from '../../core/api/versions.ts'
import type { Change, DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { rulesOptions, type TeamRules } from '../../core/diff/team-rules.ts'
import { answerRequests } from '../workers/answer-requests.ts'

export type DiffRequest =
  | {
      readonly wanted: 'answer'
      readonly a: DiffAnswer['a']
      readonly b: DiffAnswer['b']
      readonly strict: boolean
      readonly rules: TeamRules
    }
  /** `steps` for all containment questions together. */
  | {
      readonly wanted: 'counts'
      readonly before: DiffSide
      readonly after: DiffSide
      readonly steps: number
      readonly rules: TeamRules
    }

/** JSON text: a report of megabytes would hold up the main thread, which would read it as objects and write it again. */
answerRequests(async (request: DiffRequest) => {
  const { rules } = request
  if (request.wanted === 'counts') {
    const { before, after, steps } = request
    return JSON.stringify((await diffManifests(before, after, { ...rulesOptions(rules), steps })).counts)
  }
  const { a, b, strict } = request
  const report = await diffManifests(a.side, b.side, { ...rulesOptions(rules), strict })
  const names = new Set(report.changes.flatMap(namesOf))
  return JSON.stringify({
    a: namedOnly(a, names),
    b: namedOnly(b, names),
    report,
    rules,
  } satisfies DiffAnswer)
})

/** The tools that a change is of, under each name that they had. */
function namesOf({ rule, tool, tools, before }: Change): readonly unknown[] {
  return [tool, tools, rule === 'tool-renamed' ? before : undefined].flat()
}

/** Of thousands of tools a report shows those that changed: no other one is sent. */
function namedOnly({ side, refs, ...rest }: DiffAnswer['a'], names: ReadonlySet<unknown>): DiffAnswer['a'] {
  return {
    ...rest,
    ...(refs && { refs: Object.fromEntries(Object.entries(refs).filter(([name]) => names.has(name))) }),
    side: { tools: side.tools.filter(tool => names.has(tool.name)) },
  }
}
