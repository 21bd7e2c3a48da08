/** A report in the format that was asked for. */
import type { ReportFormat, ReportInput, TextStyle } from './format.ts'
import { githubReport } from './github.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { sarifReport } from './sarif.ts'
import { textReport } from './text.ts'

export function renderReport(format: ReportFormat, input: ReportInput, style: TextStyle): string {
  switch (format) {
    case 'text':
      return textReport(input, style)
    case 'json':
      return `${JSON.stringify(jsonReport(input), null, 2)}\n`
    case 'markdown':
      return markdownReport(input)
    case 'html':
      return htmlReport(input)
    case 'sarif':
      return sarifReport(input)
    case 'junit':
      return junitReport(input)
    case 'github':
      return githubReport(input)
  }
}
