/** What came of all examples, as text for a terminal and as JUnit XML. */

import type { ExampleProblem } from '../api/examples.ts'
import { oneLine, type TextStyle } from '../diff/report/format.ts'
import { type JunitSuite, junitXml } from '../diff/report/junit.ts'
import type { Difference } from './differences.ts'

export interface CheckedExample {
  readonly ref: string
  readonly name: string
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
  /** Files that are no example; each counts as a failure. */
  readonly problems: readonly ExampleProblem[]
}

const marks = { passed: '✓', failed: '✗', skipped: '–' } as const
const colours = { passed: 32, failed: 31, skipped: 33 } as const

/** A line an example, the places that differ below it, and the counts. */
export function checkText({ examples, problems }: CheckReport, { colour }: TextStyle): string {
  const paint = (text: string, code: number) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const lines = examples.flatMap(example => {
    const { ref, name, status, message, durationMs } = example
    const head = `${paint(marks[status], colours[status])} ${oneLine(ref)} · ${oneLine(name)}`
    const end = status === 'passed' ? `${Math.round(durationMs ?? 0)} ms` : `${status}: ${oneLine(message)}`
    return [`${head} · ${end}`, ...differenceLines(example).map(line => `    ${line}`)]
  })
  for (const { file, message } of problems)
    lines.push(`${paint(marks.failed, colours.failed)} ${oneLine(file)} · ${oneLine(message)}`)
  return `${[...lines, '', countsLine({ examples, problems })].join('\n').trimStart()}\n`
}

/** A suite a tool, a case an example; files that are no example are failures of a suite of their own. */
export function checkJunit({ examples, problems }: CheckReport): string {
  const suites = new Map<string, JunitSuite['cases'][number][]>()
  for (const example of examples) {
    const { ref, name, status, message, durationMs } = example
    const cases = suites.get(ref) ?? []
    suites.set(ref, cases)
    const differences = differenceLines(example)
    cases.push({
      className: oneLine(ref),
      name,
      outcome: status,
      type: 'example',
      message,
      ...(status === 'failed' ? { body: [message, ...differences].map(oneLine).join('\n') } : {}),
      ...(durationMs === undefined ? {} : { seconds: durationMs / 1000 }),
    })
  }
  const broken = problems.map(({ file, message }) => ({
    className: 'files',
    name: file,
    outcome: 'failed' as const,
    type: 'file',
    message,
    body: oneLine(message),
  }))
  return junitXml('toolscope check', [
    ...[...suites].map(([name, cases]) => ({ name, cases })),
    ...(broken.length > 0 ? [{ name: 'files', cases: broken }] : []),
  ])
}

function differenceLines({ differences, more = 0 }: CheckedExample): string[] {
  const lines = differences.map(({ path, expected, actual }) => {
    const place = oneLine(path) || '/'
    return `${place}  expected ${oneLine(expected ?? 'nothing')}, got ${oneLine(actual ?? 'nothing')}`
  })
  return more > 0 ? [...lines, `… and ${more} more`] : lines
}

function countsLine({ examples, problems }: CheckReport): string {
  const of = (status: CheckedExample['status']) => examples.filter(each => each.status === status).length
  const parts = [`${of('passed')} passed`, `${of('failed')} failed`, `${of('skipped')} skipped`]
  if (problems.length > 0) parts.push(`${problems.length} unreadable`)
  return examples.length + problems.length === 0 ? 'No example.' : parts.join(' · ')
}
