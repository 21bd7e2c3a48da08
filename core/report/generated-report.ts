/** Reports generated checks in each format: `toolscope check --generate`. */
import type { AnswerVerdict } from '../checks/assess-answer.ts'
import { type ContractScore, type ScorePart, scoreParts } from '../checks/contract-score.ts'
import {
  type CheckedTool,
  countSent,
  type GeneratedFinding,
  type GeneratedPlan,
  type GeneratedReport,
  hasFailed,
  hasPassed,
  isTested,
  type RunEnding,
  type SentShare,
  type SkippedTool,
} from '../checks/generated-checks.ts'
import { plainJson } from '../text/plain-text.ts'
import { counted, shorten } from '../text/wording.ts'
import { code } from './diff-markdown.ts'
import { createPaint, escapeMarkup, htmlPage, type TextStyle, visibleLine } from './report-text.ts'
import { type FindingsReport, type JunitCase, junitXml, serviceRenderers } from './services.ts'

export interface GeneratedReportInput {
  readonly output: unknown
  readonly plan: GeneratedPlan
  /** Absent after a dry run. */
  readonly report?: GeneratedReport
  readonly findings: readonly GeneratedFinding[]
  /** Sources that gave no list, each in one line. */
  readonly unreachable?: readonly string[]
  readonly version: string
}

export const generatedRenderers = {
  text: writeText,
  json: ({ output }: GeneratedReportInput) => `${plainJson(output)}\n`,
  junit: writeJunit,
  markdown: writeMarkdown,
  html: writeHtml,
  ...serviceRenderers(toFindings),
}

/** The rules of reports, by verdict. */
const verdictTexts: Readonly<Record<GeneratedFinding['verdict'], string>> = {
  'accepted-silently': 'A tool refuses what its input schema forbids.',
  'refused-valid': 'A tool accepts what its input schema allows.',
  crash: 'A server survives each input.',
  'protocol-error': 'A tool answers with a result, or with an error that says that the input is invalid.',
  hang: 'A call ends in its time.',
  'server-error': 'A server does not answer with HTTP status 5xx.',
  'stack-trace': 'An error contains no stack trace of the server.',
  'field-not-named': 'An error names the field that is wrong.',
  'output-invalid': 'A result fits the output schema of its tool.',
}

const endings: Readonly<Record<RunEnding, string>> = {
  done: '',
  'max-calls': 'The budget of calls was used up: --max-calls raises it.',
  time: 'The time was over: --time raises it.',
  stopped: 'The run was stopped.',
}

/** Returns the option that allows the calls of a skipped tool; empty if no option does. */
const allowedBy: Readonly<Record<SkippedTool['needs'], string>> = {
  idempotent: ' (--idempotent calls it)',
  all: ' (--all --yes calls it)',
  consent: ' (--all --yes --allow-destructive calls it)',
  nothing: '',
}

/** The worst first. */
const order: readonly AnswerVerdict[] = [
  'crash',
  'hang',
  'server-error',
  'protocol-error',
  'stack-trace',
  'output-invalid',
  'refused-valid',
  'accepted-silently',
  'field-not-named',
]

function sortFindings(findings: readonly GeneratedFinding[]): readonly GeneratedFinding[] {
  return findings.toSorted((left, right) => order.indexOf(left.verdict) - order.indexOf(right.verdict))
}

const maxInputCharacters = 2_000
/** Calls of one finding that are listed. */
const maxCalls = 20

/* Text. */

function writeText(input: GeneratedReportInput, style: TextStyle): string {
  const { plan, report, findings } = input
  const paint = createPaint(style)
  const lines: string[] = []
  for (const tool of plan.tools) {
    const checked = report?.tools.find(({ ref }) => ref === tool.ref)
    const found = sortFindings(findings.filter(({ ref }) => ref === tool.ref))
    const mark = found.length > 0 ? paint('✗', 31) : chooseMark(checked, paint)
    const facts = checked === undefined ? plannedFacts(tool) : checkedFacts(checked)
    lines.push(`${mark} ${visibleLine(tool.ref)} · ${facts.join(' · ')}`)
    if (tool.problem !== undefined) lines.push(`    no input: ${visibleLine(tool.problem)}`)
    if (checked?.cut !== undefined) lines.push(`    ${describeToolCut(checked)}`)
    for (const { kind, inputText, why } of tool.inputs ?? [])
      lines.push(
        `    ${kind === 'valid' ? 'valid    ' : paint('forbidden', 33)}  ${shorten(visibleLine(inputText), maxInputCharacters)}  ${visibleLine(why)}`,
      )
    for (const finding of found) {
      const [head = '', ...rest] = findingLines(finding)
      lines.push(`    ${paint(head, 31)}`, ...rest.map(line => `      ${line}`))
    }
  }
  for (const { ref, reason, needs } of plan.skipped)
    lines.push(`${paint('–', 33)} ${visibleLine(ref)} · skipped: ${reason}${allowedBy[needs]}`)
  return `${[...lines, '', ...summaryLines(input)].join('\n').trimStart()}\n`
}

function chooseMark(checked: CheckedTool | undefined, paint: ReturnType<typeof createPaint>): string {
  if (checked === undefined) return '·'
  if (hasPassed(checked)) return paint('✓', 32)
  return isTested(checked) || checked.cut !== undefined ? paint('!', 33) : '·'
}

const failedElsewhere = 'an input failed, and the finding is that of another tool'

const describeToolCut = (tool: CheckedTool) =>
  `not all inputs were sent, only ${describeShare(countSent([tool]))}: ${visibleLine(tool.cut ?? '')}`

const describeShare = ({ sent, planned, percent }: SentShare) => `${sent} of ${planned} (${percent}%)`

/** Returns why the run does not say everything about the sources, in sentences; undefined if it does. */
function describeCut({ report, unreachable = [] }: GeneratedReportInput): string | undefined {
  const lines = unreachable.map(message => `A source was not checked: ${visibleLine(message)}`)
  if (report !== undefined && report.sent.sent < report.sent.planned) {
    const reason = endings[report.ending] || 'The tools whose calls ended early say why.'
    lines.push(`Not all inputs were sent, only ${describeShare(report.sent)}. ${reason}`)
  }
  return lines.length === 0 ? undefined : lines.join(' ')
}

const plannedFacts = ({ valid, invalid, coverage }: GeneratedPlan['tools'][number]) => [
  counted(valid, 'valid input'),
  counted(invalid, 'forbidden input'),
  `${coverage.constraints.exercised} of ${counted(coverage.constraints.total, 'constraint')}`,
]

function checkedFacts(tool: CheckedTool): readonly string[] {
  const { inputs, planned, coveragePercent, score, findings, verdicts } = tool
  const undecided = verdicts['not-tested'] ?? 0
  return [
    tool.cut === undefined ? counted(inputs, 'input') : `${inputs} of ${counted(planned, 'input')}`,
    ...(undecided > 0 ? [`${undecided} of them without a verdict`] : []),
    ...(isTested(tool) ? [`${coveragePercent}% of the schema`] : []),
    score.total === 'not tested' ? score.total : `score ${score.total}`,
    ...(findings > 0 ? [counted(findings, 'finding')] : []),
    ...(findings === 0 && hasFailed(tool) ? [failedElsewhere] : []),
  ]
}

/** Returns the verdict first, then the details. */
function findingLines({
  verdict,
  why,
  message,
  count,
  inputText,
  isSmallest,
  calls,
  shellLine,
  notes,
}: GeneratedFinding) {
  const toLine = (label: string, text: string) =>
    `${label}  ${shorten(visibleLine(text), maxInputCharacters)}`
  const also = count > 1 ? ` (${count} inputs fail alike)` : ''
  return [
    `${verdict}: ${visibleLine(why)}${also}`,
    visibleLine(message),
    ...(calls === undefined
      ? [toLine(isSmallest ? 'smallest input' : 'input', inputText)]
      : [
          ...calls
            .slice(0, maxCalls)
            .map((call, index) => toLine(`call ${index + 1}`, `${call.ref} ${call.inputText}`)),
          ...(calls.length > maxCalls
            ? [`… and ${calls.length - maxCalls} more, which the JSON report has`]
            : []),
        ]),
    ...notes.map(visibleLine),
    `$ ${shorten(visibleLine(shellLine), 2 * maxInputCharacters)}`,
  ]
}

function summaryLines(input: GeneratedReportInput): string[] {
  const { plan, report, findings } = input
  if (report === undefined)
    return [
      `${counted(plan.tools.length, 'tool')} · ${counted(plan.inputs, 'input')} · seed ${plan.seed} · nothing was sent.`,
    ]
  const tested = report.tools.filter(isTested).length
  const isWhole = tested === report.tools.length
  const cut = describeCut(input)
  return [
    [
      isWhole ? counted(tested, 'tool') : `${tested} of ${counted(report.tools.length, 'tool')} tested`,
      counted(report.calls, 'call'),
      counted(findings.length, 'finding'),
      `${plan.skipped.length} skipped`,
      ...(tested > 0 ? [`${report.coveragePercent}% of the schemas`] : []),
      `seed ${report.seed}`,
    ].join(' · '),
    ...report.sources.map(({ source, score }) => `${visibleLine(source)}: ${describeScore(score)}`),
    ...(cut === undefined ? [] : [cut]),
  ]
}

/** Returns `score 85: stays alive 100%, names the field 50%`. */
function describeScore({ total, parts }: ContractScore): string {
  if (total === 'not tested') return 'not tested'
  const shares = (Object.keys(scoreParts) as ScorePart[]).flatMap(part =>
    parts[part] === undefined ? [] : [`${scoreParts[part].label} ${Math.round(100 * parts[part])}%`],
  )
  return `score ${total}: ${shares.join(', ')}`
}

/* Services. */

function toFindings(input: GeneratedReportInput): FindingsReport {
  return {
    title: 'toolscope check --generate',
    version: input.version,
    summary: summaryLines(input).join(' '),
    incomplete: describeCut(input),
    findings: sortFindings(input.findings).map(finding => {
      const { id, ref, verdict, field, message, constraint, inputText } = finding
      const [, ...details] = findingLines(finding)
      return {
        rule: verdict,
        level: verdict === 'field-not-named' ? ('warning' as const) : ('error' as const),
        subject: ref,
        path: field,
        message: `${finding.why} ${message}`,
        details: details.slice(1),
        fingerprint: id,
        file: ref,
        properties: { constraint: `${constraint.pointer} ${constraint.keyword}`, input: inputText },
      }
    }),
    ruleText: id => ({ title: verdictTexts[id as GeneratedFinding['verdict']] ?? id }),
  }
}

function writeJunit({ plan, report, findings, unreachable = [] }: GeneratedReportInput): string {
  const suites = plan.tools.map(({ ref, problem }) => {
    const found = findings.filter(finding => finding.ref === ref)
    const name = visibleLine(ref)
    const checked = report?.tools.find(tool => tool.ref === ref)
    const failed = found.map(
      (finding): JunitCase => ({
        className: name,
        name: `${finding.verdict} ${finding.field || '/'} ${finding.constraint.keyword} ${finding.id}`,
        outcome: 'failed',
        type: finding.verdict,
        message: finding.message,
        body: findingLines(finding).join('\n'),
      }),
    )
    const inputs = checked?.inputs ?? 0
    const unclear =
      checked !== undefined && isTested(checked) ? failedElsewhere : 'no call said anything about the tool'
    const silent = inputs > 0 ? unclear : 'nothing was sent'
    const sent: JunitCase = {
      className: name,
      name: counted(inputs, 'generated input'),
      ...(checked !== undefined && isTested(checked) && !hasFailed(checked)
        ? { outcome: 'passed' }
        : { outcome: 'skipped', message: problem ?? silent }),
    }
    const cut = checked?.cut === undefined ? undefined : describeToolCut(checked)
    // A tool whose inputs were not all sent has not passed.
    const unsent: JunitCase[] =
      cut === undefined
        ? []
        : [{ className: name, name: 'inputs that were not sent', outcome: 'skipped', message: cut }]
    const others = inputs > 0 || cut === undefined ? [sent] : []
    return { name, cases: [...(failed.length > 0 ? failed : others), ...unsent] }
  })
  const skipped = plan.skipped.map(({ ref, reason }) => ({
    name: visibleLine(ref),
    cases: [
      { className: visibleLine(ref), name: 'generated inputs', outcome: 'skipped' as const, message: reason },
    ],
  }))
  const sources = unreachable.map(message => ({
    className: 'sources',
    name: message,
    outcome: 'failed' as const,
    type: 'unreachable',
    message,
  }))
  return junitXml('toolscope check --generate', [
    ...suites,
    ...skipped,
    ...(sources.length > 0 ? [{ name: 'sources', cases: sources }] : []),
  ])
}

/* Markdown and HTML. */

const columns = ['tool', 'inputs', 'schema', 'score', 'findings'] as const

const toRow = (tool: CheckedTool) => [
  tool.ref,
  tool.cut === undefined ? String(tool.inputs) : `${tool.inputs} of ${tool.planned}`,
  isTested(tool) ? `${tool.coveragePercent}%` : '–',
  String(tool.score.total),
  String(tool.findings),
]

/** Returns why the inputs of each tool were not all sent, or none of them. */
function listGaps({ plan, report }: GeneratedReportInput): readonly (readonly [ref: string, gap: string])[] {
  return plan.tools.flatMap(({ ref, problem }) => {
    const checked = report?.tools.find(tool => tool.ref === ref)
    if (problem !== undefined) return [[ref, `no input: ${problem}`] as const]
    return checked?.cut === undefined ? [] : [[ref, describeToolCut(checked)] as const]
  })
}

function writeMarkdown(input: GeneratedReportInput): string {
  const { report, plan, findings } = input
  const rows = (report?.tools ?? []).map(toRow).map(([ref = '', ...rest]) => {
    return `| ${code(ref).replaceAll('|', '\\|')} | ${rest.join(' | ')} |`
  })
  const listed = (plan.isDryRun ? plan.tools : []).flatMap(({ ref, inputs = [] }) => [
    `\n### ${code(ref)}\n`,
    ...inputs.map(
      ({ kind, inputText, why }) => `- ${kind}: ${code(shorten(inputText, maxInputCharacters))} ${code(why)}`,
    ),
  ])
  const found = sortFindings(findings).flatMap(finding => [
    `\n### ${finding.verdict} · ${code(finding.ref)}\n`,
    ...findingLines(finding)
      .slice(1)
      .map(line => `- ${code(line)}`),
  ])
  const gaps = listGaps(input).map(([ref, gap]) => `- ${code(ref)}: ${code(gap)}`)
  const skipped = plan.skipped.map(({ ref, reason }) => `- ${code(ref)}: skipped, ${reason}`)
  return `${[
    '## Generated checks',
    '',
    ...summaryLines(input).map(line => `${code(line)}  `),
    ...(rows.length > 0
      ? ['', `| ${columns.join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`, ...rows]
      : []),
    ...(gaps.length > 0 ? ['', ...gaps] : []),
    ...listed,
    ...found,
    ...(skipped.length > 0 ? ['', ...skipped] : []),
  ].join('\n')}\n`
}

function writeHtml(input: GeneratedReportInput): string {
  const { report, plan, findings } = input
  const text = (value: string) => escapeMarkup(visibleLine(value))
  const cells = (tag: 'td' | 'th', values: readonly string[]) =>
    `<tr>${values.map(value => `<${tag}>${text(value)}</${tag}>`).join('')}</tr>`
  const table = `<table>${cells('th', columns)}${(report?.tools ?? []).map(tool => cells('td', toRow(tool))).join('\n')}</table>`
  const articles = sortFindings(findings).map(finding => {
    const [head = '', ...rest] = findingLines(finding)
    const lines = rest.map(line => `<p>${text(line)}</p>`).join('\n')
    return `<article><p><b class="breaking">${text(head)}</b> <code>${text(finding.ref)}</code></p>\n${lines}</article>`
  })
  const listed = plan.tools.flatMap(({ ref, inputs }) =>
    inputs === undefined
      ? []
      : [
          `<h2><code>${text(ref)}</code></h2><ul>${inputs.map(each => `<li>${each.kind} <code>${text(each.inputText)}</code> ${text(each.why)}</li>`).join('\n')}</ul>`,
        ],
  )
  const skipped = plan.skipped.map(
    ({ ref, reason }) => `<p class="muted"><code>${text(ref)}</code>: skipped, ${text(reason)}</p>`,
  )
  const gaps = listGaps(input).map(
    ([ref, gap]) => `<p class="muted"><code>${text(ref)}</code>: ${text(gap)}</p>`,
  )
  const summary = summaryLines(input).map(line => `<p>${text(line)}</p>`)
  return htmlPage('Generated checks', [
    ...summary,
    ...(report === undefined ? [] : [table]),
    ...gaps,
    ...articles,
    ...listed,
    ...skipped,
  ])
}
