/**
 * `npm test`: every check, in the order in which a mistake is cheapest to see. Those that do not need one another run side
 * by side. All run even when one fails, and the last line adds up the tests that really ran.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { project } from './project.mjs'

const results = project('test-results')
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })

/** Two rows of checks that run side by side. */
const checks = [
  [
    { name: 'format, lint, zones', command: ['npx', 'biome', 'check', '.'] },
    { name: 'imports', command: ['node', 'scripts/check-imports.mjs'] },
    { name: 'unused code', command: ['npx', 'knip'] },
    { name: 'browser', command: ['node', 'scripts/chromium.mjs'] },
    { name: 'build', command: ['npm', 'run', '--silent', 'build', '--', '--logLevel', 'warn'] },
    { name: 'size', command: ['node', 'scripts/check-size.mjs'] },
  ],
  [{ name: 'types', command: ['node', 'scripts/typecheck.mjs'] }],
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
await Promise.all(
  checks.map(async row => {
    for (const check of row) if (!(await run(check, true))) total.failed += 1
  }),
)
for (const { read, ...suite } of suites) {
  const ok = await run(suite)
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

/** Runs a command and prints what it wrote under its name: at once, or in one piece where others run beside it. */
function run({ name, command: [file, ...args] }, isBeside = false) {
  const started = Date.now()
  if (!isBeside) console.log(`\n── ${name}`)
  const child = spawn(file, args, {
    cwd: project(),
    stdio: isBeside ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    shell: process.platform === 'win32',
    env: { ...process.env, npm_config_loglevel: 'error' },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', text => {
      output += text
    })
  return new Promise(resolve => {
    child.once('error', error => {
      output += error
    })
    child.once('close', code => {
      if (isBeside) process.stdout.write(`\n── ${name}\n${output}`)
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} (${seconds} s)`)
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
