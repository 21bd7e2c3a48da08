/**
 * `npm run faults`: what Toolscope must survive, quick and slow, and the matrix of what was tried. A row is a test, a group
 * the outermost `describe`, or the file where there is none. The quick files are a part of `npm test` too.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { project } from './project.mjs'
import { readVitestReport } from './test-reports.mjs'

const results = project('test-results/faults.json')
mkdirSync(project('test-results'), { recursive: true })
rmSync(results, { force: true })
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '.faults.',
    ...process.argv.slice(2),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}`,
  ],
  {
    cwd: project(),
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, TOOLSCOPE_FAULTS: 'all' },
  },
)

const groups = new Map()
for (const { name, assertionResults } of JSON.parse(readFileSync(results, 'utf8')).testResults)
  for (const { ancestorTitles, status } of assertionResults) {
    const group = ancestorTitles[0] ?? basename(name).split('.')[0]
    const row = groups.get(group) ?? { tried: 0, survived: 0, failed: 0, skipped: 0 }
    groups.set(group, row)
    row.tried += 1
    row[status === 'passed' ? 'survived' : status === 'failed' ? 'failed' : 'skipped'] += 1
  }
const total = { tried: 0, survived: 0, failed: 0, skipped: 0 }
for (const row of groups.values()) for (const key of Object.keys(total)) total[key] += row[key]
console.table(Object.fromEntries([...[...groups].sort(), ['total', total]]))
const { passed, skipped, failures } = readVitestReport(results)
if (failures.length === 0 && status !== 0) failures.push('npm run faults')
writeFileSync(project('test-results/faults-summary.json'), JSON.stringify({ passed, skipped, failures }))
process.exit(status === 0 && total.tried > 0 ? 0 : 1)
