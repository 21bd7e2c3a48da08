/** The formats of a comparison's report, each with what writes it. */

import { plainJson } from '../text/plain-text.ts'
import { diffFindings } from './diff-findings.ts'
import type { ReportInput } from './diff-format.ts'
import { htmlReport } from './diff-html.ts'
import { jsonReport } from './diff-json.ts'
import { junitReport } from './diff-junit.ts'
import { markdownReport } from './diff-markdown.ts'
import { textReport } from './diff-text.ts'
import { serviceRenderers } from './services.ts'

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
