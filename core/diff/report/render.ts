/** The formats of a comparison's report, each with what writes it. */

import { serviceRenderers } from '../../report/services.ts'
import { plainJson } from '../../text/plain-text.ts'
import { diffFindings } from './findings.ts'
import type { ReportInput } from './format.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { textReport } from './text.ts'

export const diffRenderers = {
  text: textReport,
  json: (input: ReportInput) => `${plainJson(jsonReport(input))}\n`,
  markdown: markdownReport,
  html: htmlReport,
  junit: junitReport,
  ...serviceRenderers(diffFindings),
}

export type DiffFormat = keyof typeof diffRenderers

export const diffFormats = Object.keys(diffRenderers) as readonly DiffFormat[]
