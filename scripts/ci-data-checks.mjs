/** Runs the project's corpus checks on the given data folder, if it exists; each counts as one test. */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { project } from './project.mjs'

const data = resolve(process.argv[2] ?? '')
const checks = [
  ['bench', 'forms', '--data', `${data}/corpus`],
  ['bench', 'samples', '--data', `${data}/corpus`],
  ['bench', 'mock', '--data', `${data}/corpus`],
  ['bench', 'mock', '--data', `${data}/manifests`],
  ['bench', 'generate', '--data', `${data}/corpus`],
  ['bench', 'generate', '--data', `${data}/manifests`],
  ['bench', 'help', '--data', `${data}/corpus`],
  ['bench', 'prompt', '--data', `${data}/corpus`, '--quick'],
  ['bench', 'search', '--data', `${data}/corpus`],
  ...['labelled-dev', 'real-strict-dev', 'real-declared-dev', 'formulaic-dev'].map(name => [
    'bench',
    'compat',
    '--data',
    `${data}/compat/${name}.json`,
  ]),
  ['bench', 'diff', '--data', `${data}/manifests`],
  ['bench', 'soak-reports', '--data', `${data}/corpus`, '--count', '3000'],
  ['bench', 'schema-suite', '--data', `${data}/json-schema-test-suite`],
  ['bench', 'fuzz', '--data', `${data}/corpus`, '--count', '5000'],
  ['bench', 'originals', '--data', `${data}/originals`],
  ['unit', 'server/workers/dialect-agreement.test.ts'],
]

const total = { passed: 0, skipped: 0, failures: [] }
for (const check of checks) {
  const line = check.join(' ')
  if (!existsSync(data)) {
    console.log(`── ${line}: skipped, there is no data folder`)
    total.skipped += 1
    continue
  }
  console.log(`\n── ${line}`)
  if (run(check) || run(check)) total.passed += 1
  else total.failures.push(line)
}
writeFileSync(project('test-results/data-checks.json'), JSON.stringify(total))
process.exit(total.failures.length > 0 ? 1 : 0)

/** A busy machine may miss a time limit once; a real fault fails twice. */
function run([script, ...args]) {
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], {
    cwd: project(),
    stdio: 'inherit',
    env: { ...process.env, TOOLSCOPE_TEST_DATA: `${data}/corpus` },
  })
  if (status !== 0) console.log(`── ${[script, ...args].join(' ')}: under its bar`)
  return status === 0
}
