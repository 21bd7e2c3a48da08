/** Reports the results of all examples, checked or compared, in each format. */

import type { Difference } from '../checks/differences.ts'
import type { ExampleProblem } from '../checks/example.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { plainJson } from '../text/plain-text.ts'
import { escapeMarkup, htmlPage, type TextStyle, visibleLine } from './report-text.ts'
import {
  type FindingsReport,
  type JunitSuite,
  junitXml,
  type ReportFinding,
  serviceRenderers,
} from './services.ts'

export interface CheckedExample {
  readonly ref: string
  readonly name: string
  /** The file, relative to the configuration's folder; absent for an example in the store. */
  readonly file?: string | undefined
  readonly status: 'passed' | 'failed' | 'skipped'
  /** One line. */
  readonly message: string
  readonly differences: readonly Difference[]
  /** Differences that are not listed. */
  readonly more?: number | undefined
  readonly durationMs?: number | undefined
}

export interface CheckReport {
  readonly examples: readonly CheckedExample[]
  /** Files that are not examples; each counts as a failure. */
  readonly problems: readonly ExampleProblem[]
}

/** The names of sides and outcomes in a report. */
export interface ReportWords {
  readonly command: string
  /** Shown before the value of each side at a location that differs. */
  readonly sides: readonly [string, string]
  /** Used in the counts. */
  readonly passed: string
  readonly failed: string
  /** Shown before the message of a failed example. */
  readonly failedPrefix: string
}

interface CheckInput {
  readonly output: unknown
  readonly report: CheckReport
  /** The words of `check` by default. */
  readonly words?: ReportWords
  /** The path from the working directory to the configuration's folder: '' or `sub/folder/`. */
  readonly folder: string
  readonly version: string
}

export const checkRenderers = {
  text: ({ report, words }: CheckInput, style: TextStyle) => checkText(report, style, words),
  json: ({ output }: CheckInput) => `${plainJson(output)}\n`,
  junit: ({ report, words }: CheckInput) => checkJunit(report, words),
  markdown: (input: CheckInput) => checkMarkdown(input),
  html: ({ report, words = checkWords }: CheckInput) =>
    htmlPage(`toolscope ${words.command}`, [
      `<pre>${escapeMarkup(checkText(report, { colour: false }, words))}</pre>`,
    ]),
  ...serviceRenderers(checkFindings),
}

const checkWords: ReportWords = {
  command: 'check',
  sides: ['expected', 'got'],
  passed: 'passed',
  failed: 'failed',
  failedPrefix: 'failed: ',
}

const marks = { passed: '✓', failed: '✗', skipped: '–' } as const
const colours = { passed: 32, failed: 31, skipped: 33 } as const

/** Writes one line for each example, its differences below it, and the counts. */
function checkText({ examples, problems }: CheckReport, { colour }: TextStyle, words = checkWords): string {
  const paint = (text: string, code: number) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const lines = examples.flatMap(example => {
    const { ref, name, status, message, durationMs } = example
    const head = `${paint(marks[status], colours[status])} ${visibleLine(ref)} · ${visibleLine(name)}`
    const prefix = status === 'failed' ? words.failedPrefix : 'skipped: '
    const passed = durationMs === undefined ? visibleLine(message) : `${Math.round(durationMs)} ms`
    const end = status === 'passed' ? passed : `${prefix}${visibleLine(message)}`
    return [`${head} · ${end}`, ...differenceLines(example, words).map(line => `    ${line}`)]
  })
  for (const { file, message } of problems)
    lines.push(`${paint(marks.failed, colours.failed)} ${visibleLine(file)} · ${visibleLine(message)}`)
  return `${[...lines, '', countsLine({ examples, problems }, words)].join('\n').trimStart()}\n`
}

/** Writes the text as a block of code, in which no text of a result has a meaning. */
function checkMarkdown({ report, words = checkWords }: CheckInput): string {
  const text = checkText(report, { colour: false }, words)
  const fence = '`'.repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(run => run.length + 1)))
  return `## toolscope ${words.command}\n\n${fence}text\n${text}${fence}\n`
}

/** Each tool is a suite, each example a case; files that are not examples fail in a separate suite. */
function checkJunit({ examples, problems }: CheckReport, words = checkWords): string {
  const suites = new Map<string, JunitSuite['cases'][number][]>()
  for (const example of examples) {
    const { ref, name, status, message, durationMs } = example
    const cases = suites.get(ref) ?? []
    suites.set(ref, cases)
    const differences = differenceLines(example, words)
    cases.push({
      className: visibleLine(ref),
      name,
      outcome: status,
      type: 'example',
      message,
      ...(status === 'failed' ? { body: [message, ...differences].map(visibleLine).join('\n') } : {}),
      ...(durationMs === undefined ? {} : { seconds: durationMs / 1000 }),
    })
  }
  const broken = problems.map(({ file, message }) => ({
    className: 'files',
    name: file,
    outcome: 'failed' as const,
    type: 'file',
    message,
    body: visibleLine(message),
  }))
  return junitXml(`toolscope ${words.command}`, [
    ...[...suites].map(([name, cases]) => ({ name, cases })),
    ...(broken.length > 0 ? [{ name: 'files', cases: broken }] : []),
  ])
}

const rules: Readonly<Record<string, string>> = {
  'example-failed': 'The answer to a saved input is the expected one.',
  'example-unreadable': 'A file among the examples is an example of a tool that is there.',
}

/** Returns the failures. Skipped examples are notes. */
function checkFindings({ report, words = checkWords, folder, version }: CheckInput): FindingsReport {
  const { examples, problems } = report
  const failed = examples.flatMap((example): readonly ReportFinding[] => {
    const { ref, name, status, message, file } = example
    if (status === 'passed') return []
    const finding = {
      rule: 'example-failed',
      level: status === 'failed' ? ('error' as const) : ('note' as const),
      subject: `${ref} · ${name}`,
      path: '',
      message,
      details: differenceLines(example, words),
      fingerprint: fingerprint([ref, name]),
      file: file === undefined ? ref : `${folder}${file}`,
    }
    return [finding]
  })
  const unreadable = problems.map(({ file, message }) => ({
    rule: 'example-unreadable',
    level: 'error' as const,
    subject: file,
    path: '',
    message,
    details: [],
    fingerprint: fingerprint([file]),
    file: `${folder}${file}`,
  }))
  return {
    title: `toolscope ${words.command}`,
    version,
    summary: countsLine(report, words),
    findings: [...failed, ...unreadable],
    ruleText: id => ({ title: rules[id] ?? id }),
  }
}

function differenceLines({ differences, more = 0 }: CheckedExample, { sides }: ReportWords): string[] {
  const [a, b] = sides.map(visibleLine)
  const lines = differences.map(({ path, expected, actual }) => {
    const pathText = visibleLine(path) || '/'
    return `${pathText}  ${a} ${visibleLine(expected ?? 'nothing')}, ${b} ${visibleLine(actual ?? 'nothing')}`
  })
  return more > 0 ? [...lines, `… and ${more} more`] : lines
}

function countsLine({ examples, problems }: CheckReport, words: ReportWords): string {
  const of = (status: CheckedExample['status']) => examples.filter(each => each.status === status).length
  const parts = [
    `${of('passed')} ${words.passed}`,
    `${of('failed')} ${words.failed}`,
    `${of('skipped')} skipped`,
  ]
  if (problems.length > 0) parts.push(`${problems.length} unreadable`)
  return examples.length + problems.length === 0 ? 'No example.' : parts.join(' · ')
}
