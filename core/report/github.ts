/** Workflow commands of GitHub Actions: annotations on the run. */
import type { FindingsReport, ReportFinding } from './finding.ts'
import { oneLine } from './text.ts'

/** Annotations are few (ten of a kind a step): notes are in the summary line. */
export function githubReport({ title, summary, findings }: FindingsReport): string {
  const lines = findings.flatMap(({ level, isIgnored, ...finding }) =>
    level === 'note' || isIgnored === true ? [] : [annotation(level, finding)],
  )
  return `${[...lines, `::notice title=${property(title)}::${data(oneLine(summary))}`].join('\n')}\n`
}

function annotation(
  level: 'error' | 'warning',
  { subject, rule, path, message, details, fingerprint }: Omit<ReportFinding, 'level' | 'isIgnored'>,
): string {
  const title = property(oneLine(`${subject}: ${rule}`))
  const text = [message, ...details, fingerprint].map(oneLine).join('\n')
  const place = path === '' ? '' : `${path} `
  return `::${level} title=${title}::${data(place + text)}`
}

/** A manifest's text must not end the command and begin another. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
