/** Findings as text for the terminal: tool by tool, with what to do. */
import { counted } from '../text/wording.ts'
import type { LintFinding, LintSeverity } from './finding.ts'

export interface LintReport {
  readonly toolCount: number
  readonly counts: Readonly<Record<LintSeverity, number>>
  readonly findings: readonly (Omit<LintFinding, 'ref' | 'name'> & { readonly ref?: string | undefined })[]
}

export function lintText({ findings, counts, toolCount }: LintReport): string {
  const lines: string[] = []
  let tool: string | undefined
  for (const [index, finding] of findings.entries()) {
    if (index === 0 || finding.ref !== tool) {
      tool = finding.ref
      if (index > 0) lines.push('')
      lines.push(plain(tool ?? 'The catalog'))
    }
    const { severity, rule, clients, message, remedy, path } = finding
    lines.push(`  ${severity.padEnd(7)}  ${rule}  (${clients.join(', ')})`)
    lines.push(`           ${plain(path === '' ? message : `${path}: ${message}`)}`)
    lines.push(`           ${remedy}`)
  }
  if (findings.length > 0) lines.push('')
  const { error, warning, info } = counts
  lines.push(
    `${counted(error, 'error')}, ${counted(warning, 'warning')} and ${counted(info, 'note')} in ${counted(toolCount, 'tool')}`,
  )
  return `${lines.join('\n')}\n`
}

/** Names and paths are the source's own: what could steer a terminal is shown as a mark. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '\uFFFD')
}
