/**
 * `npm test`: every check, in the order in which a mistake is cheapest to see. All run even when one fails, and
 * the last line adds up the tests that really ran.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { project } from './project.mjs'

const results = project('test-results')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

const checks = [
  { name: 'format, lint, zones', command: ['npx', 'biome', 'check', '.'] },
  { name: 'imports', command: ['node', 'scripts/check-imports.mjs'] },
  { name: 'unused code', command: ['npx', 'knip'] },
  { name: 'types', command: ['node', 'scripts/typecheck.mjs'] },
  { name: 'build', command: ['npm', 'run', '--silent', 'build', '--', '--logLevel', 'warn'] },
  { name: 'size', command: ['node', 'scripts/check-size.mjs'] },
  { name: 'browser', command: ['node', 'scripts/chromium.mjs'] },
]
const suites = [
  {
    name: 'unit tests',
    command: [
      'npx',
      'vitest',
      'run',
      '--reporter=default',
      '--reporter=json',
      '--outputFile.json=test-results/unit.json',
    ],
    read: () => {
      const {
        numPassedTests: passed,
        numFailedTests: failed,
        numPendingTests: skipped,
      } = readJson('unit.json')
      return { passed, failed, skipped }
    },
  },
  {
    name: 'browser tests',
    command: ['npx', 'playwright', 'test'],
    read: () => {
      const { expected, unexpected, flaky, skipped } = readJson('e2e.json').stats
      return { passed: expected, failed: unexpected + flaky, skipped }
    },
  },
]

const total = { passed: 0, failed: 0, skipped: 0 }
for (const { name, command } of checks) {
  const ok = run(name, command)
  if (!ok) total.failed += 1
}
for (const { name, command, read } of suites) {
  const ok = run(name, command)
  const counts = tryRead(read)
  // A suite that ended badly without a failed test (it could not start) is a failure too.
  const failed = counts.failed === 0 && !ok ? 1 : counts.failed
  total.passed += counts.passed
  total.failed += failed
  total.skipped += counts.skipped
}
writeFileSync(`${results}/summary.json`, JSON.stringify(total))
console.log(
  `\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`,
)
process.exit(total.failed > 0 ? 1 : 0)

function run(name, [file, ...args]) {
  console.log(`\n── ${name}`)
  const started = Date.now()
  const { status } = spawnSync(file, args, {
    cwd: project(),
    stdio: 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_loglevel: 'error' },
  })
  console.log(
    `── ${name}: ${status === 0 ? 'ok' : 'FAILED'} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  )
  return status === 0
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
