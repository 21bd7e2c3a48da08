/** Workflow commands of GitHub Actions: annotations on the run. */
import type { Severity } from '../change.ts'
import { detailLines, oneLine, type ReportInput, summary } from './format.ts'

const commands: Record<Severity, string | undefined> = {
  breaking: 'error',
  dangerous: 'error',
  warning: 'warning',
  // Annotations are few (ten of a kind a step): the rest is in the summary line.
  info: undefined,
}

export function githubReport({ a, b, report }: ReportInput): string {
  const lines = report.changes.flatMap(change => {
    const command = commands[change.severity]
    if (command === undefined) return []
    const where = change.tool ?? (change.tools ? `${change.tools.length} tools` : 'the manifest')
    const title = property(oneLine(`${where}: ${change.rule}`))
    const text = [change.message, ...detailLines(change), change.fingerprint].map(oneLine).join('\n')
    const place = change.path === '' ? '' : `${change.path} `
    return [`::${command} title=${title}::${data(place + text)}`]
  })
  return `${[...lines, `::notice title=toolscope diff::${data(`${oneLine(a)} → ${oneLine(b)}: ${summary(report)}`)}`].join('\n')}\n`
}

/** A manifest's text must not end the command and begin another. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
