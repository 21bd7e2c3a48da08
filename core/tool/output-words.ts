import type { ValidationVerdict } from './invocation.ts'

interface Details {
  /** How many issues the output has, where that is known. */
  readonly issueCount?: number | undefined
  /** Of the program that gave the output. */
  readonly exitCode?: number | undefined
}

/**
 * The verdict on an output, said alike on the page and on the command line: `output valid`, `output invalid (3)`,
 * `exit 0 · output invalid (3)`, `no output schema`.
 */
export function outputWords(verdict: ValidationVerdict, { issueCount = 0, exitCode }: Details = {}): string {
  if (verdict === 'no schema') return 'no output schema'
  const exit = exitCode === undefined ? '' : `exit ${exitCode} · `
  return `${exit}output ${verdict}${issueCount > 0 ? ` (${issueCount})` : ''}`
}
