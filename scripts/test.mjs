/**
 * `npm test`: the checks beside the builds, then the two suites, one after the other: each has tests about time, and fills
 * two processors alone. All steps run even when one fails, and the last line adds up the tests that really ran.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { project } from './project.mjs'

const results = project('test-results')
rmSync(results, { recursive: true, force: true })
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
  // Its files need not be compressed to the last byte.
  { name: 'build: page', command: vite(), env: { TOOLSCOPE_QUICK_BUILD: '1' } },
  { name: 'build: page of an export', command: vite('--mode', 'export') },
  { name: 'size', command: ['scripts/check-size.mjs'] },
]
const unit = {
  name: 'unit tests',
  command: [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    '--outputFile.json=test-results/unit.json',
  ],
  read: () => {
    const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = readJson('unit.json')
    return { passed, failed, skipped }
  },
}
const browser = {
  name: 'browser tests',
  command: ['node_modules/@playwright/test/cli.js', 'test'],
  read: () => {
    const { expected, unexpected, flaky, skipped } = readJson('e2e.json').stats
    return { passed: expected, failed: unexpected + flaky, skipped }
  },
}

const total = { passed: 0, failed: 0, skipped: 0 }
await Promise.all([runChecks(builds), runChecks(checks)])
await runSuite(unit)
await runSuite(browser)
writeFileSync(`${results}/summary.json`, JSON.stringify(total))
console.log(
  `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
)
process.exit(total.failed > 0 ? 1 : 0)

async function runChecks(steps) {
  for (const step of steps) if (!(await run(step))) total.failed += 1
}

async function runSuite(suite) {
  const ok = await run(suite)
  const counts = tryRead(suite.read)
  // A suite that ended badly without a failed test (it could not start) is a failure too.
  const failed = counts.failed === 0 && !ok ? 1 : counts.failed
  total.passed += counts.passed
  total.failed += failed
  total.skipped += counts.skipped
}

/** Runs a script of Node; what it wrote is printed when it ends. */
function run({ name, command, env }) {
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

function readJson(file) {
  return JSON.parse(readFileSync(`${results}/${file}`, 'utf8'))
}

function tryRead(read) {
  try {
    return read()
  } catch {
    return { passed: 0, failed: 0, skipped: 0 }
  }
}
