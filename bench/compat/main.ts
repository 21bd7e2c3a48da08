/** `npm run bench -- compat --data FILE [--json]`: how many pairs of a file the containment engine decides, and how fast. */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { loadCompat } from '../../core/compat/is-subschema.ts'
import { readPairs } from './pairs.ts'
import { barFailures, printTable } from './report.ts'
import { runPairs } from './run-pairs.ts'

const { values } = parseArgs({
  options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
})
if (!values.data) {
  console.error('Usage: npm run bench -- compat --data FILE [--json]')
  process.exit(2)
}
await loadCompat()
const pairs = readPairs(await readFile(values.data, 'utf8'))
const report = runPairs(pairs)
const failures = barFailures(report)
if (values.json) console.log(JSON.stringify({ ...report, failures }, undefined, 2))
else printTable(report, failures)
process.exitCode = failures.length > 0 ? 1 : 0
