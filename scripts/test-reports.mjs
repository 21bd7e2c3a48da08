/** Reads the reports of the suites: how many tests passed and were skipped, and which failed, by file and title. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { project } from './project.mjs'

/** A missing report counts as zero tests: the suite did not get that far. */
export function readVitestReport(file) {
  const report = tryRead(file)
  if (report === undefined) return { passed: 0, skipped: 0, failures: [] }
  const failures = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter(test => test.status === 'failed')
    const where = relative(project(), name)
    // A file that could not be loaded has failed without a test.
    if (failed.length === 0) return status === 'failed' ? [where] : []
    return failed.map(({ fullName, failureMessages }) =>
      formatFailure(`${where}: ${fullName}`, failureMessages[0]),
    )
  })
  return { passed: report.numPassedTests, skipped: report.numPendingTests, failures }
}

/** A test that passed only when it was tried again is a failure. */
export function readPlaywrightReport(file) {
  const report = tryRead(file)
  if (report === undefined) return { passed: 0, skipped: 0, failures: [] }
  const failures = listSpecs(report).flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ status, results }) =>
        formatFailure(
          `e2e/${file}: ${title}${status === 'flaky' ? ' (not every time)' : ''}`,
          results.find(({ error }) => error !== undefined)?.error.message,
        ),
      ),
  )
  return { passed: report.stats.expected, skipped: report.stats.skipped, failures }
}

/** Returns the file of each test and whether it passed, failed or was skipped; `file` must exist. */
export function readPlaywrightTests(file) {
  const statuses = { expected: 'passed', skipped: 'skipped' }
  return listSpecs(JSON.parse(readFileSync(file, 'utf8'))).flatMap(({ file, tests }) =>
    tests.map(({ status }) => ({ file, status: statuses[status] ?? 'failed' })),
  )
}

const listSpecs = suite => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(listSpecs)]

/** Prints the failures and the total, as the last lines of a run. */
export function sayTotal({ passed, skipped, failures }) {
  if (failures.length > 0) console.log(`\nFailed:\n${failures.map(name => `  ${name}`).join('\n')}`)
  console.log(`\n${passed} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
}

/** Returns the name with the beginning of the reason below it, because the full reason is far up in a long run. */
function formatFailure(name, reason = '') {
  const lines = stripVTControlCharacters(reason)
    .split('\n')
    .filter(line => line.trim() !== '' && !/^\s+at /.test(line))
  return [name, ...lines.slice(0, 12).map(line => `    ${line.slice(0, 200)}`)].join('\n')
}

function tryRead(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
