/** SARIF 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/), as code scanning services read it. */
import { plainJson } from '../text/plain-text.ts'
import type { FindingsReport, ReportFinding } from './finding.ts'
import { oneLine } from './text.ts'

/** JSON text. Ignored findings are there as suppressed results. */
export function sarifReport({ version, findings, ruleText }: FindingsReport): string {
  const ids = [...new Set(findings.map(({ rule }) => rule))].toSorted()
  const rules = ids.map(id => {
    const { title, source } = ruleText(id)
    return {
      id,
      shortDescription: { text: oneLine(title) },
      ...(source === undefined ? {} : { helpUri: source }),
    }
  })
  const result = ({
    rule,
    level,
    subject,
    path,
    message,
    details,
    isIgnored,
    ...finding
  }: ReportFinding) => ({
    ruleId: rule,
    ruleIndex: ids.indexOf(rule),
    level,
    message: { text: `${oneLine(subject)}: ${[message, ...details].map(oneLine).join('. ')}` },
    locations: [
      {
        // Manifests are data that programs print: a line would be a guess, and services demand one.
        physicalLocation: { artifactLocation: { uri: uriOf(finding.file) }, region: { startLine: 1 } },
        logicalLocations: [
          { fullyQualifiedName: [subject, path].join(/^\/|^$/.test(path) ? '' : ' '), kind: 'member' },
        ],
      },
    ],
    partialFingerprints: { 'toolscopeFinding/v1': finding.fingerprint },
    ...(finding.properties === undefined ? {} : { properties: finding.properties }),
    ...(isIgnored === true ? { suppressions: [{ kind: 'external' }] } : {}),
  })
  const run = { tool: { driver: { name: 'toolscope', version, rules } }, results: findings.map(result) }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${plainJson(log)}\n`
}

const uriOf = (path: string) => encodeURI(path.replaceAll('\\', '/')).replaceAll(':', '%3A')
