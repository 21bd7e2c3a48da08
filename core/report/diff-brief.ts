/** Makes the short report: what breaks, what needs a look, and other changes, counted by tool. */

import type { Change, DiffReport } from '../diff/change.ts'
import { groupBy } from '../group-by.ts'
import { summarizeRules } from './diff-summary.ts'

/** One change, or the same one in several tools. */
export interface BriefEntry {
  /** The first of the equal changes. */
  readonly change: Change
  /** Empty for the server itself. */
  readonly tools: readonly string[]
  /** The number of changes. */
  readonly count: number
}

/** Tools that changed in the same way, with the number of each kind of change. */
export interface BriefRest {
  readonly tools: readonly string[]
  readonly summary: string
}

export interface DiffBrief {
  readonly breaking: readonly BriefEntry[]
  /** Dangerous changes first, then warnings. */
  readonly look: readonly BriefEntry[]
  readonly rest: readonly BriefRest[]
  /** The number of changes in `rest`. */
  readonly restCount: number
}

export function buildBrief({ changes }: DiffReport): DiffBrief {
  const ofSeverity = (...wanted: readonly string[]) =>
    changes.filter(({ severity }) => wanted.includes(severity))
  const rest = ofSeverity('info')
  return {
    breaking: mergeSameChanges(ofSeverity('breaking')),
    look: [...mergeSameChanges(ofSeverity('dangerous')), ...mergeSameChanges(ofSeverity('warning'))],
    rest: summarizeRest(rest),
    restCount: rest.length,
  }
}

/** The same change of several tools becomes one entry, at the position of the first. */
function mergeSameChanges(changes: readonly Change[]): BriefEntry[] {
  const groups = groupBy(changes, ({ rule, direction, path, message, cues, before, tools }) =>
    JSON.stringify([rule, direction, path, message, cues, tools && [tools, before]]),
  )
  return [...groups.values()].flatMap(members => {
    const [change] = members
    if (change === undefined) return []
    return [
      { change, tools: members.flatMap(({ tool, tools }) => tools ?? tool ?? []), count: members.length },
    ]
  })
}

function summarizeRest(changes: readonly Change[]): BriefRest[] {
  const folded = changes.filter(({ tools }) => tools !== undefined)
  const single = groupBy(
    changes.filter(({ tools }) => tools === undefined),
    ({ tool }) => tool ?? '',
  )
  const summaries = [...single].map(([tool, members]) => ({ tool, summary: summarizeRules(members) }))
  return [
    ...[...groupBy(summaries, ({ summary }) => summary)].map(([summary, members]) => ({
      tools: members.flatMap(({ tool }) => (tool === '' ? [] : tool)),
      summary,
    })),
    ...folded.map(({ tools = [], message }) => ({
      tools,
      summary: message.replace(/, across \d+ tools$/, ''),
    })),
  ]
}

/** Returns `a, b, c and 9 more`; `the server` without tools. */
export function toolsInWords(tools: readonly string[], show: (name: string) => string, maxNames = 3): string {
  if (tools.length === 0) return 'the server'
  const names = tools.slice(0, maxNames).map(show).join(', ')
  return tools.length > maxNames ? `${names} and ${tools.length - maxNames} more` : names
}
