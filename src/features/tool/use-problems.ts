import { useEffect, useState } from 'react'
import type { ToolDetail } from '../../../core/api/api.ts'
import type { ValidationIssue } from '../../../core/call/invocation.ts'

/** Milliseconds of rest after a key before the input is judged. */
const rest = 150

const none: readonly ValidationIssue[] = []

/** The page's own judgement of an input. Advisory: when it cannot be had, there are no problems to tell of. */
export async function judge(tool: ToolDetail, text: string): Promise<readonly ValidationIssue[]> {
  try {
    const { problemsOf } = await import('../form/draft.ts')
    return await problemsOf(tool, text)
  } catch (error) {
    console.warn('The input could not be checked in the page', error)
    return none
  }
}

export interface Judged {
  /** The input that was judged: for a moment after a change, the one before. */
  readonly text: string
  readonly issues: readonly ValidationIssue[]
}

/** The problems of the input as it stands, a moment after the last change. */
export function useProblems(tool: ToolDetail, text: string): Judged {
  const [judged, setJudged] = useState({ tool, text: '', issues: none })
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const issues = await judge(tool, text)
      if (current) setJudged({ tool, text, issues })
    }, rest)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [tool, text])
  return judged.tool === tool ? judged : { text: '', issues: none }
}
