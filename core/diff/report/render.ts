/** A report in the format that was asked for. */

import { plainJson } from '../../text/plain-text.ts'
import type { ReportFormat, ReportInput, TextStyle } from './format.ts'
import { githubReport } from './github.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { sarifReport } from './sarif.ts'
import { textReport } from './text.ts'

const renderers: Record<ReportFormat, (input: ReportInput, style: TextStyle) => string> = {
  text: textReport,
  json: input => `${plainJson(jsonReport(input))}\n`,
  markdown: markdownReport,
  html: htmlReport,
  sarif: sarifReport,
  junit: junitReport,
  github: githubReport,
}

export function renderReport(format: ReportFormat, input: ReportInput, style: TextStyle): string {
  return renderers[format](input, style)
}
