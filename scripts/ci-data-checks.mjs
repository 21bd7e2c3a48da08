/** Runs the corpus checks that the project has on the data folder given, where it exists; each counts as one test. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { project } from './project.mjs'

const data = resolve(process.argv[2] ?? '')
const scripts = JSON.parse(readFileSync(project('package.json'), 'utf8')).scripts
const checks = [
  { script: 'corpus:forms', args: ['--data', `${data}/corpus`] },
  { script: 'corpus:help', args: ['--data', `${data}/corpus`] },
  { script: 'bench:prompt', args: ['--data', `${data}/corpus`, '--quick'] },
  ...['labelled-dev', 'real-strict-dev', 'real-declared-dev', 'formulaic-dev'].map(name => ({
    script: 'bench:compat',
    args: ['--data', `${data}/compat/${name}.json`],
  })),
  { script: 'bench:diff', args: ['--data', `${data}/manifests`] },
  { script: 'bench:soak-reports', args: ['--data', `${data}/corpus`, '--count', '3000'] },
  { script: 'conformance:schema', args: ['--data', `${data}/json-schema-test-suite`] },
  { script: 'fuzz', args: ['--data', `${data}/corpus`, '--count', '5000'] },
  { script: 'originals', args: ['--data', `${data}/originals`] },
  { script: 'unit', args: ['server/validation/dialect-agreement.test.ts'] },
].filter(({ script }) => script in scripts)

const total = { passed: 0, skipped: 0, failures: [] }
for (const { script, args } of checks) {
  if (!existsSync(data)) {
    console.log(`── ${script}: skipped, there is no data folder`)
    total.skipped += 1
    continue
  }
  console.log(`\n── ${script} ${args.join(' ')}`)
  if (run(script, args) || run(script, args)) total.passed += 1
  else total.failures.push([script, ...args].join(' '))
}
writeFileSync(project('test-results/data-checks.json'), JSON.stringify(total))
process.exit(total.failures.length > 0 ? 1 : 0)

/** A bar on time can be missed once because the machine was busy; a real fault fails twice. */
function run(script, args) {
  const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...args], {
    cwd: project(),
    stdio: 'inherit',
    env: { ...process.env, TOOLSCOPE_TEST_DATA: `${data}/corpus` },
  })
  if (status !== 0) console.log(`── ${script}: under its bar`)
  return status === 0
}
