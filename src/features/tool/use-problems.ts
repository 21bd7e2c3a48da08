import { useEffect, useState } from 'react'
import type { ToolDetail } from '../../../core/api/catalog.ts'
import { type JsonReading, readJson } from '../../../core/json/json-text.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import { leftOutAt, leftOutMessage } from '../../../core/tool/left-out.ts'
import { problemsOf } from '../form/draft.ts'
import type { DraftContent } from './kept-drafts.ts'

/** Pause after the last key before the input is validated. */
const debounceMs = 150

const none: readonly ValidationIssue[] = []

/** Validates an input in the page. Advisory: when validation fails, only the left-out secrets count. */
async function findProblems(
  tool: ToolDetail,
  { text, secretMarker }: DraftContent,
): Promise<readonly ValidationIssue[]> {
  const reading = readJson(text)
  if (!reading.ok) return [textIssue(reading)]
  const leftOut = blockingIssues({ text, secretMarker })
  try {
    const issues = await problemsOf(tool, text)
    return [...leftOut, ...issues.filter(({ path }) => leftOut.every(issue => issue.path !== path))]
  } catch (error) {
    console.warn('The input could not be checked in the page', error)
    return leftOut
  }
}

/**
 * What no call may send, whatever the user wants: text that is not valid JSON, and the marker of a secret that has to be entered
 * again.
 */
export function blockingIssues({ text, secretMarker }: DraftContent): readonly ValidationIssue[] {
  const reading = readJson(text)
  if (!reading.ok) return reading.reason === 'syntax' ? [textIssue(reading)] : none
  return leftOutAt(reading.value, secretMarker).map(path => ({
    path,
    keyword: 'secret',
    message: leftOutMessage,
  }))
}

/** Whether an issue is one of those that `blockingIssues` finds. */
export function isBlocking({ keyword }: ValidationIssue): boolean {
  return keyword === 'json' || keyword === 'secret'
}

function textIssue({ reason, message }: Exclude<JsonReading, { ok: true }>): ValidationIssue {
  if (reason === 'too-deep') return { path: '', keyword: 'depth', message: `is ${message}` }
  return { path: '', keyword: 'json', message: `is not valid JSON: ${message}` }
}

/** The problems of the input, updated shortly after the last change; `validate` finds those of an input at once. */
export function useProblems(tool: ToolDetail, { text, secretMarker }: DraftContent) {
  const [validated, setValidated] = useState({ tool, text: '', issues: none })
  useEffect(() => {
    let current = true
    const timer = setTimeout(async () => {
      const issues = await findProblems(tool, { text, secretMarker })
      if (current) setValidated({ tool, text, issues })
    }, debounceMs)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [tool, text, secretMarker])
  const validate = async (content: DraftContent) => {
    const issues = await findProblems(tool, content)
    setValidated({ tool, text: content.text, issues })
    return issues
  }
  return { issues: validated.tool === tool ? validated.issues : none, validate }
}
