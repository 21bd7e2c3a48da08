/** SARIF 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/), as code scanning services read it. */
import { plainJson } from '../../text/plain-text.ts'
import type { Change, Severity } from '../change.ts'
import { ruleCatalogue } from '../rules/schema-rules.ts'
import { detailLines, oneLine, type ReportInput } from './format.ts'

const levels: Record<Severity, 'error' | 'warning' | 'note'> = {
  breaking: 'error',
  dangerous: 'error',
  warning: 'warning',
  info: 'note',
}

/** JSON text. Ignored changes are there as suppressed results. */
export function sarifReport({ b, report, version }: ReportInput): string {
  const all = [...report.changes, ...report.ignored]
  const ids = [...new Set(all.map(change => change.rule))].toSorted()
  const rules = ids.map(id => ({ id, shortDescription: { text: ruleCatalogue[id] ?? id } }))
  const result = (change: Change) => ({
    ruleId: change.rule,
    ruleIndex: ids.indexOf(change.rule),
    level: levels[change.severity],
    message: { text: messageOf(change) },
    locations: [
      {
        // Manifests are data that programs print: a line would be a guess, and services demand one.
        physicalLocation: { artifactLocation: { uri: uriOf(b) }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: `${change.tool ?? ''}${change.path}`, kind: 'member' }],
      },
    ],
    partialFingerprints: { 'toolscopeChange/v1': change.fingerprint },
    properties: {
      severity: change.severity,
      direction: change.direction,
      strict: change.strict,
      declared: change.declared,
    },
  })
  const suppressed = (change: Change) => ({ ...result(change), suppressions: [{ kind: 'external' }] })
  const run = {
    tool: { driver: { name: 'toolscope', version, rules } },
    results: [...report.changes.map(result), ...report.ignored.map(suppressed)],
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${plainJson(log)}\n`
}

function messageOf(change: Change): string {
  const lines = [change.message, ...detailLines(change)].map(oneLine).join('. ')
  return change.tool === undefined ? lines : `${oneLine(change.tool)}: ${lines}`
}

/** A path as it is; `git:REV:path` by its path; anything else as a single segment. */
function uriOf(label: string): string {
  const path = /^git:[^:]*:(.+)$/s.exec(label)?.[1] ?? label
  return encodeURI(path.replaceAll('\\', '/').replace(/^\.\//, '')).replaceAll(':', '%3A')
}
