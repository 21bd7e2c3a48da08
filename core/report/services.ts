/** The formats that services read, for any command that makes findings. */
import type { FindingsReport } from './finding.ts'
import { githubReport } from './github.ts'
import { gitlabReport } from './gitlab.ts'
import { sarifReport } from './sarif.ts'

export const serviceRenderers = <Report>(toFindings: (report: Report) => FindingsReport) => ({
  sarif: (report: Report) => sarifReport(toFindings(report)),
  github: (report: Report) => githubReport(toFindings(report)),
  gitlab: (report: Report) => gitlabReport(toFindings(report)),
})
