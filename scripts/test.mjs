/**
 * `npm test`: the checks and the pure tests during the builds, then the other suites, one after the other: they have
 * timed tests, and each uses two processors. All steps run even when one fails, and the last line is the total of tests
 * that really ran. A process or temporary folder that a suite leaves behind is a failure. Faults and long walks:
 * scripts/faults.mjs.
 * `--fonts noto` runs the browser with the fonts of one package only (scripts/fonts.mjs). `--page` runs only the
 * component and the journey tests, with the existing builds, and scans each state in all modes (e2e/support/axe.ts).
 */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { fontEnvironment } from './fonts.mjs'
import { watchLeftovers } from './leftovers.mjs'
import { project } from './project.mjs'
import { readPlaywrightReport, readVitestReport, sayTotal } from './test-reports.mjs'

const { values: options } = parseArgs({ options: { fonts: { type: 'string' }, page: { type: 'boolean' } } })
const fonts = options.fonts === undefined ? {} : fontEnvironment(options.fonts)

const results = project('test-results')
const summary = `${results}/${options.page ? 'page-summary' : 'summary'}.json`
rmSync(options.page ? summary : results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const vite = (...args) => ['node_modules/vite/bin/vite.js', 'build', ...args, '--logLevel', 'warn']

const checks = [
  { name: 'format, lint, zones', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'imports', command: ['scripts/check-imports.mjs'] },
  { name: 'unused code', command: ['node_modules/knip/bin/knip.js'] },
  { name: 'types', command: ['scripts/typecheck.mjs'] },
]
const builds = [
  { name: 'browser', command: ['scripts/chromium.mjs'] },
  { name: 'build: program', command: vite('--ssr') },
  { name: 'build: page', command: vite() },
  { name: 'build: page of an export', command: vite('--mode', 'export') },
  { name: 'build: libraries of the examples', command: vite('--mode', 'examples') },
  { name: 'size', command: ['scripts/check-size.mjs'] },
]
const pure = vitest('pure tests', 'pure', ['pure'])
const unit = vitest('unit tests', 'unit', options.page ? ['component'] : ['component', 'real'])
const browser = {
  name: 'browser tests',
  command: ['node_modules/@playwright/test/cli.js', 'test'],
  env: options.page ? { TOOLSCOPE_SCANS: 'all' } : {},
  read: () => readPlaywrightReport(project('test-results/e2e.json')),
}

const total = { passed: 0, skipped: 0, failures: [] }
// Pure tests start no processes and need no builds.
if (!options.page) await Promise.all([runChecks(builds), runChecks(checks).then(() => runTests(pure))])
await runSuite(unit)
await runSuite(browser)
writeFileSync(summary, JSON.stringify(total))
sayTotal(total)
process.exit(total.failures.length > 0 ? 1 : 0)

function vitest(name, file, projects) {
  const report = `test-results/${file}.json`
  return {
    name,
    command: [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.map(project => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    read: () => readVitestReport(project(report)),
  }
}

async function runChecks(steps) {
  for (const step of steps) if (!(await run(step))) total.failures.push(step.name)
}

async function runSuite(suite) {
  const leftovers = watchLeftovers()
  await runTests(suite, { ...suite.env, ...fonts, ...leftovers.environment })
  for (const left of await leftovers.find()) total.failures.push(`${suite.name} left behind: ${left}`)
}

async function runTests(suite, env = {}) {
  const ok = await run({ ...suite, env })
  const { passed, skipped, failures } = suite.read()
  total.passed += passed
  total.skipped += skipped
  total.failures.push(...failures)
  // A suite that failed without a failed test (it could not start) is a failure too.
  if (failures.length === 0 && !ok) total.failures.push(suite.name)
}

/** Runs a Node script, and prints its output when it ends. */
function run({ name, command, env = {} }) {
  const started = Date.now()
  console.log(`── ${name} …`)
  const child = spawn(process.execPath, command, {
    cwd: project(),
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, npm_config_loglevel: 'error', ...env },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', text => {
      output += text
    })
  return new Promise(resolve => {
    child.once('error', error => {
      output += error
    })
    child.once('close', code => {
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      process.stdout.write(
        `\n── ${name}\n${output}── ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)\n`,
      )
      resolve(code === 0)
    })
  })
}
