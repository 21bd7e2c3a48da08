/** The formats that services read, for all commands with findings. */

import { fingerprint } from '../text/fingerprint.ts'
import { plainJson } from '../text/plain-text.ts'
import { escapeMarkup, visibleLine } from './report-text.ts'

export interface ReportFinding {
  /** Id of the rule that made the finding. */
  readonly rule: string
  readonly level: 'error' | 'warning' | 'note'
  /** The subject: a tool, an example, `the manifest`. */
  readonly subject: string
  /** The location in the subject: a JSON Pointer, or ''. */
  readonly path: string
  /** One sentence. */
  readonly message: string
  /** More lines: the proof, the remedy. */
  readonly details: readonly string[]
  /** Stable over runs and over unrelated changes. */
  readonly fingerprint: string
  /** The file, relative to the working directory; a label if there is no file. */
  readonly file: string
  /** Whether the user accepted the finding. */
  readonly isIgnored?: boolean
  readonly properties?: { readonly [name: string]: unknown }
}

interface RuleText {
  readonly title: string
  readonly source?: string | undefined
}

export interface FindingsReport {
  /** The command: `toolscope diff`. */
  readonly title: string
  readonly version: string
  /** The result in one line. */
  readonly summary: string
  readonly findings: readonly ReportFinding[]
  /** Why there may be more findings than these; absent if all was checked. A service may close a finding that is absent. */
  readonly incomplete?: string | undefined
  readonly ruleText: (id: string) => RuleText
}

export const serviceRenderers = <Report>(toFindings: (report: Report) => FindingsReport) => ({
  sarif: (report: Report) => sarifReport(toFindings(report)),
  github: (report: Report) => githubReport(toFindings(report)),
  gitlab: (report: Report) => gitlabReport(toFindings(report)),
})

/* GitLab's Code Quality report (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format). */

const severities: Record<ReportFinding['level'], string> = {
  error: 'critical',
  warning: 'minor',
  note: 'info',
}

/** Returns JSON text. Ignored findings are left out, because the report has no field for them. */
function gitlabReport({ title, findings, incomplete }: FindingsReport): string {
  const entries = findings
    .filter(({ isIgnored }) => isIgnored !== true)
    .map(({ rule, level, subject, message, details, fingerprint, file }) => ({
      description: visibleLine(`${subject}: ${[message, ...details].join('. ')}`),
      check_name: rule,
      fingerprint,
      severity: severities[level],
      // The service requires a line, and the real one is unknown.
      location: { path: file, lines: { begin: 1 } },
    }))
  const note = incomplete !== undefined && {
    description: visibleLine(`${title}: ${incomplete}`),
    check_name: 'incomplete',
    fingerprint: fingerprint([title, 'incomplete']),
    severity: severities.warning,
    location: { path: title, lines: { begin: 1 } },
  }
  return `${plainJson(note ? [note, ...entries] : entries)}\n`
}

/* Workflow commands of GitHub Actions: annotations on the run. */

/** A run shows few annotations (ten of a kind in a step), so notes appear only in the summary line. */
function githubReport({ title, summary, findings, incomplete }: FindingsReport): string {
  const lines = findings.flatMap(({ level, isIgnored, ...finding }) =>
    level === 'note' || isIgnored === true ? [] : [annotation(level, finding)],
  )
  const level = incomplete === undefined ? 'notice' : 'warning'
  return `${[...lines, `::${level} title=${property(title)}::${data(visibleLine(summary))}`].join('\n')}\n`
}

function annotation(
  level: 'error' | 'warning',
  { subject, rule, path, message, details, fingerprint }: Omit<ReportFinding, 'level' | 'isIgnored'>,
): string {
  const title = property(visibleLine(`${subject}: ${rule}`))
  const text = [message, ...details, fingerprint].map(visibleLine).join('\n')
  const pathPrefix = path === '' ? '' : `${path} `
  return `::${level} title=${title}::${data(pathPrefix + text)}`
}

/** Text of a manifest must not end the command and begin another. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

/* SARIF 2.1.0 (OASIS, https://docs.oasis-open.org/sarif/sarif/v2.1.0/), as code scanning services read it. */

/** Returns JSON text. Ignored findings are suppressed results. */
function sarifReport({ version, findings, incomplete, ruleText }: FindingsReport): string {
  const ids = [...new Set(findings.map(({ rule }) => rule))].toSorted()
  const rules = ids.map(id => {
    const { title, source } = ruleText(id)
    return {
      id,
      shortDescription: { text: visibleLine(title) },
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
    message: { text: `${visibleLine(subject)}: ${[message, ...details].map(visibleLine).join('. ')}` },
    locations: [
      {
        // Programs print manifests, so the line is unknown, but services require one.
        physicalLocation: { artifactLocation: { uri: toUri(finding.file) }, region: { startLine: 1 } },
        logicalLocations: [
          { fullyQualifiedName: [subject, path].join(/^\/|^$/.test(path) ? '' : ' '), kind: 'member' },
        ],
      },
    ],
    partialFingerprints: { 'toolscopeFinding/v1': finding.fingerprint },
    ...(finding.properties === undefined ? {} : { properties: finding.properties }),
    ...(isIgnored === true ? { suppressions: [{ kind: 'external' }] } : {}),
  })
  const run = {
    tool: { driver: { name: 'toolscope', version, rules } },
    ...(incomplete !== undefined && {
      invocations: [
        {
          executionSuccessful: false,
          toolExecutionNotifications: [{ level: 'warning', message: { text: visibleLine(incomplete) } }],
        },
      ],
    }),
    results: findings.map(result),
  }
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }
  return `${plainJson(log)}\n`
}

/** A name may have half of a surrogate pair, with which `encodeURI` throws. */
const toUri = (path: string) =>
  encodeURI(path.replaceAll('\\', '/').replaceAll(loneSurrogate, '\ufffd')).replaceAll(':', '%3A')

const loneSurrogate = /\p{Surrogate}/gu

export interface JunitCase {
  readonly className: string
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  /** For a failure: its kind. */
  readonly type?: string
  /** For a failure or a skipped case: one line. */
  readonly message?: string
  /** Lines of detail, if there are any. */
  readonly body?: string
  readonly seconds?: number
}

export interface JunitSuite {
  readonly name: string
  readonly cases: readonly JunitCase[]
}

/** Well-formed for every text: control characters are escaped, and lone surrogates replaced. */
export function junitXml(name: string, suites: readonly JunitSuite[]): string {
  const all = suites.flatMap(({ cases }) => cases)
  return `${[
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(name)}" ${counts(all)}>`,
    ...suites.flatMap(({ name: suite, cases }) => [
      `  <testsuite name="${attribute(suite)}" ${counts(cases)}>`,
      ...cases.map(caseLine),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n')}\n`
}

function counts(cases: readonly JunitCase[]): string {
  const of = (outcome: JunitCase['outcome']) => cases.filter(each => each.outcome === outcome).length
  const skipped = of('skipped')
  return `tests="${cases.length}" failures="${of('failed')}"${skipped > 0 ? ` skipped="${skipped}"` : ''}`
}

function caseLine({ className, name, outcome, type = '', message = '', body, seconds }: JunitCase): string {
  const time = seconds === undefined ? '' : ` time="${seconds.toFixed(3)}"`
  const open = `    <testcase classname="${escapeMarkup(className)}" name="${attribute(name)}"${time}>`
  const text = body === undefined ? '' : escapeMarkup(body)
  const out = body === undefined ? '' : `<system-out>${text}</system-out>`
  switch (outcome) {
    case 'failed':
      return `${open}<failure type="${attribute(type)}" message="${attribute(message)}">${text}</failure></testcase>`
    case 'skipped':
      return `${open}<skipped message="${attribute(message)}"/>${out}</testcase>`
    case 'passed':
      return `${open}${out}</testcase>`
  }
}

const attribute = (text: string) => escapeMarkup(visibleLine(text))
