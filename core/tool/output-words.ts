import type { ValidationVerdict } from './invocation.ts'

interface Details {
  /** The number of issues in the output, if known. */
  readonly issueCount?: number | undefined
  /** The exit code of the program that gave the output. */
  readonly exitCode?: number | undefined
}

/**
 * Returns the verdict on an output, for the page and the command line: `output valid`, `output invalid (3)`, `exit 0 ·
 * output invalid (3)`, `no output schema`.
 */
export function outputWords(verdict: ValidationVerdict, { issueCount = 0, exitCode }: Details = {}): string {
  if (verdict === 'no schema') return 'no output schema'
  const exit = exitCode === undefined ? '' : `exit ${exitCode} · `
  return `${exit}output ${verdict}${issueCount > 0 ? ` (${issueCount})` : ''}`
}
