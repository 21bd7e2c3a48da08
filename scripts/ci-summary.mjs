/** Adds up what `npm test`, `npm run faults` and the corpus checks ran, as the last line of the run. */
import { readFileSync } from 'node:fs'
import { project } from './project.mjs'

const total = { passed: 0, failed: 0, skipped: 0 }
for (const file of ['summary.json', 'faults-summary.json', 'data-checks.json']) {
  const counts = JSON.parse(readFileSync(project(`test-results/${file}`), 'utf8'))
  for (const key of Object.keys(total)) total[key] += counts[key]
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
console.log(`\n${total.passed} passed, ${total.failed} failed${skipped}`)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)
