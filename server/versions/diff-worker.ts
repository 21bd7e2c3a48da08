/** The thread that compares two manifests, because containment checks may take seconds. */
import type { DiffAnswer } from '../../core/api/versions.ts'
import type { Change, DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import { rulesOptions, type TeamRules } from '../../core/diff/team-rules.ts'
import { answerThreadRequests } from '../workers/answer-requests.ts'

export type DiffRequest =
  | {
      readonly wanted: 'answer'
      readonly a: DiffAnswer['a']
      readonly b: DiffAnswer['b']
      readonly strict: boolean
      readonly rules: TeamRules
    }
  /** `steps` limits all containment checks together. */
  | {
      readonly wanted: 'counts'
      readonly before: DiffSide
      readonly after: DiffSide
      readonly steps: number
      readonly rules: TeamRules
    }

/** JSON text, because the main thread would read a report of megabytes as objects and write it again. */
answerThreadRequests(async (request: DiffRequest) => {
  const { rules } = request
  if (request.wanted === 'counts') {
    const { before, after, steps } = request
    return JSON.stringify((await diffManifests(before, after, { ...rulesOptions(rules), steps })).counts)
  }
  const { a, b, strict } = request
  const report = await diffManifests(a.side, b.side, { ...rulesOptions(rules), strict })
  const names = new Set(report.changes.flatMap(listToolNames))
  return JSON.stringify({
    a: namedOnly(a, names),
    b: namedOnly(b, names),
    report,
    rules,
  } satisfies DiffAnswer)
})

/** Returns the tools of a change, under all their names. */
function listToolNames({ rule, tool, tools, before }: Change): readonly unknown[] {
  return [tool, tools, rule === 'tool-renamed' ? before : undefined].flat()
}

/** Keeps only the named tools: a report shows no others of thousands. */
function namedOnly({ side, refs, ...rest }: DiffAnswer['a'], names: ReadonlySet<unknown>): DiffAnswer['a'] {
  return {
    ...rest,
    ...(refs && { refs: Object.fromEntries(Object.entries(refs).filter(([name]) => names.has(name))) }),
    side: { tools: side.tools.filter(tool => names.has(tool.name)) },
  }
}
