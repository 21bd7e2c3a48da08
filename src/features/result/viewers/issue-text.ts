import type { ValidationIssue } from '../../../../core/call/invocation.ts'

/** An issue in one line: what was expected and what came, else the validator's own sentence. */
export function issueText(issue: ValidationIssue): string {
  const { expected, actual, message } = issue
  if (expected !== undefined && actual !== undefined) return `expected ${expected}, got ${actual}`
  if (expected !== undefined) return `${message} (expected ${expected})`
  return message
}
