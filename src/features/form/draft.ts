import type { ToolDetail } from '../../../core/api.ts'
import type { ValidationIssue } from '../../../core/invocation.ts'

export function problemsOf(_tool: ToolDetail, text: string): readonly ValidationIssue[] {
  try {
    JSON.parse(text || '{}')
    return []
  } catch (error) {
    return [{ path: '', keyword: 'json', message: String(error) }]
  }
}

export function exampleText(_tool: ToolDetail): string {
  return '{}'
}
