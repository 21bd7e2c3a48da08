import { useEffect, useState } from 'react'
import type { ToolDetail } from '../../../core/api/api.ts'
import type { ValidationIssue } from '../../../core/call/invocation.ts'
import { readJson } from '../../../core/json/json-text.ts'
import { leftOutAt, leftOutMessage } from '../../../core/secrets/left-out.ts'
import type { DraftContent } from './kept-drafts.ts'

/** Milliseconds of rest after a key before the input is judged. */
const rest = 150

const none: readonly ValidationIssue[] = []

/** The page's own judgement of an input. Advisory: when it cannot be had, there are no problems to tell of. */
export async function judge(
  tool: ToolDetail,
  { text, secretMarker }: DraftContent,
): Promise<readonly ValidationIssue[]> {
  const leftOut = leftOutIssues({ text, secretMarker })
  try {
    const { problemsOf } = await import('../form/draft.ts')
    const issues = await problemsOf(tool, text)
    return [...leftOut, ...issues.filter(({ path }) => leftOut.every(issue => issue.path !== path))]
  } catch (error) {
    console.warn('The input could not be checked in the page', error)
    return leftOut
  }
}

/** The secrets that have to be entered again. They are no advice: a call must not go out with a marker in it. */
export function leftOutIssues({ text, secretMarker }: DraftContent): readonly ValidationIssue[] {
  if (secretMarker === undefined || !text.includes(secretMarker)) return none
  const reading = readJson(text)
  if (!reading.ok) return none
  return leftOutAt(reading.value, secretMarker).map(path => ({
    path,
    keyword: 'secret',
    message: leftOutMessage,
  }))
}

export interface Judged {
  /** The input that was judged: for a moment after a change, the one before. */
  readonly text: string
  readonly issues: readonly ValidationIssue[]
}

/** The problems of the input as it stands, a moment after the last change. */
export function useProblems(tool: ToolDetail, { text, secretMarker }: DraftContent): Judged {
  const [judged, setJudged] = useState({ tool, text: '', issues: none })
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const issues = await judge(tool, { text, secretMarker })
      if (current) setJudged({ tool, text, issues })
    }, rest)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [tool, text, secretMarker])
  return judged.tool === tool ? judged : { text: '', issues: none }
}
