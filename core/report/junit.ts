/** Writes JUnit XML for Jenkins, GitLab and GitHub's reporters. */
import { escapeMarkup, visibleLine } from './report-text.ts'

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
