/**
 * Prints the total of `npm test`, the page's tests with other fonts, `npm run faults` and the corpus checks at the end
 * of the CI run.
 */
import { readFileSync } from 'node:fs'
import { project } from './project.mjs'
import { sayTotal } from './test-reports.mjs'

const total = { passed: 0, skipped: 0, failures: [] }
for (const file of ['summary.json', 'page-summary.json', 'faults-summary.json', 'data-checks.json']) {
  const { passed, skipped, failures } = JSON.parse(readFileSync(project(`test-results/${file}`), 'utf8'))
  total.passed += passed
  total.skipped += skipped
  total.failures.push(...failures)
}
sayTotal(total)
process.exit(total.failures.length > 0 || total.passed === 0 ? 1 : 0)
