/**
 * `npm run faults`: tests of failures, long walks and timed loads (`*.faults.*`), and a matrix of their results. Tests
 * that measure a turn of a thread (`*.timed.*`) run after the others, one file at a time, because a turn takes twice
 * its processor time during other work. A row of the matrix counts the tests of an outermost `describe`, or of a file
 * without one. `npm test` does not run these files. `npm run faults -- git` runs only those with `git` in their path.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { project } from './project.mjs'
import { readPlaywrightReport, readPlaywrightTests, readVitestReport } from './test-reports.mjs'

const names = process.argv.slice(2)
const files = execFileSync('git', ['ls-files', '-zco', '--exclude-standard', '*.faults.*'], {
  cwd: project(),
  encoding: 'utf8',
})
  .split('\0')
  .filter(file => file !== '' && (names.length === 0 || names.some(name => file.includes(name))))
const results = project('test-results/faults.json')
const timedResults = project('test-results/faults-timed.json')
const pageResults = project('test-results/faults-e2e.json')
mkdirSync(project('test-results'), { recursive: true })
for (const file of [results, timedResults, pageResults]) rmSync(file, { force: true })

const walks = files.filter(file => file.startsWith('e2e/'))
const timed = files.filter(file => file.includes('.timed.'))
const others = files.filter(file => !walks.includes(file) && !timed.includes(file))
const isVitestFine = runVitest(results, others)
const isTimedFine = runVitest(timedResults, timed, '--no-file-parallelism')
const isPlaywrightFine = walks.length === 0 || run('playwright', ['test', ...walks])

const groups = new Map()
const vitestFiles = [results, timedResults].flatMap(file =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).testResults : [],
)
for (const { name, assertionResults } of vitestFiles)
  for (const { ancestorTitles, status } of assertionResults)
    addToGroup(ancestorTitles[0] ?? basename(name).split('.')[0], status)
for (const { file, status } of existsSync(pageResults) ? readPlaywrightTests(pageResults) : [])
  addToGroup(`e2e/${basename(file).split('.')[0]}`, status)

const total = { tried: 0, survived: 0, failed: 0, skipped: 0 }
for (const row of groups.values()) for (const key of Object.keys(total)) total[key] += row[key]
console.table(Object.fromEntries([...[...groups].sort(), ['total', total]]))
const summary = { passed: 0, skipped: 0, failures: [] }
for (const [isFine, { passed, skipped, failures }, name] of [
  [isVitestFine, readVitestReport(results), 'npm run faults'],
  [isTimedFine, readVitestReport(timedResults), 'npm run faults: what is timed'],
  [isPlaywrightFine, readPlaywrightReport(pageResults), 'npm run faults: the walks through the page'],
]) {
  summary.passed += passed
  summary.skipped += skipped
  summary.failures.push(...failures)
  // A run that failed without a failed test (it could not start) is a failure too.
  if (failures.length === 0 && !isFine) summary.failures.push(name)
}
writeFileSync(project('test-results/faults-summary.json'), JSON.stringify(summary))
process.exit(summary.failures.length === 0 && total.tried > 0 ? 0 : 1)

function runVitest(report, paths, ...options) {
  if (paths.length === 0) return true
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return run('vitest', ['run', ...paths, ...options, ...reports])
}

function run(tool, args) {
  const { status } = spawnSync('npx', [tool, ...args], {
    cwd: project(),
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, TOOLSCOPE_FAULTS: 'all' },
  })
  return status === 0
}

function addToGroup(group, status) {
  const row = groups.get(group) ?? { tried: 0, survived: 0, failed: 0, skipped: 0 }
  groups.set(group, row)
  row.tried += 1
  row[status === 'passed' ? 'survived' : status === 'failed' ? 'failed' : 'skipped'] += 1
}
