/**
 * Runs the official conformance suite against `toolscope mcp --http` and against our client: `npm run conformance:mcp`.
 * Needs the built program. The suite is not a dependency (it has 120 packages, some only for Node 22): it is downloaded
 * once into the cache, at the versions below.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const suiteVersion = '0.1.16'
/** Only this version tests the rounds of the revision of 2026-07-28. */
const nextSuiteVersion = '0.2.0-alpha.12'
const here = path => fileURLToPath(new URL(path, import.meta.url))

/** Scenarios that fail for a good reason. A listed scenario that passes fails the run, so that it is removed here. */
const expected = {
  server: {
    'What a server of tools alone does not have': [
      'completion-complete',
      'resources-list',
      'resources-read-text',
      'resources-read-binary',
      'resources-templates-read',
      'resources-subscribe',
      'resources-unsubscribe',
      'prompts-list',
      'prompts-get-simple',
      'prompts-get-with-args',
      'prompts-get-embedded-resource',
      'prompts-get-with-image',
    ],
    'A stream that broke cannot be continued': ['server-sse-polling'],
  },
  client: {
    'Its metadata names another issuer than the address it is read from, which a client refuses (RFC 8414, 3.3)':
      ['auth/2025-03-26-oauth-metadata-backcompat'],
  },
}
// Two sign-ins of the suite are left out: client credentials and cross-app access. They sign in programs without a
// user. For those, Toolscope uses a configured header.
const clientScenarios = [
  'initialize',
  'tools_call',
  'sse-retry',
  'elicitation-sep1034-client-defaults',
  'auth/resource-mismatch',
  'auth/offline-access-scope',
  'auth/offline-access-not-supported',
  'auth/2025-03-26-oauth-metadata-backcompat',
  'auth/2025-03-26-oauth-endpoint-fallback',
]
const nextClientScenarios = ['sep-2322-client-request-state']

const cache = version => here(`../node_modules/.cache/toolscope-conformance/${version}`)
const suiteIn = folder => join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
for (const version of [suiteVersion, nextSuiteVersion]) install(version)
const baseline = join(cache(suiteVersion), 'expected.yml')
const lines = Object.entries(expected).map(([side, why]) => {
  const names = Object.values(why).flat()
  return names.length === 0 ? '' : `${side}:\n${names.map(name => `  - ${name}\n`).join('')}`
})
writeFileSync(baseline, lines.join(''))

const failures = []
const server = spawn(process.execPath, [
  here('../dist/server/main.js'),
  'mcp',
  '--http',
  '--without-token',
  `mcp:${process.execPath} ${here('../server/sources/fixtures/mcp-conformance.mjs')}`,
])
try {
  const url = await new Promise((resolve, reject) => {
    server.once('exit', code => reject(new Error(`toolscope mcp ended with ${code}`)))
    server.stdout.on('data', text => {
      const found = /ready: (\S+)/.exec(String(text))?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  run(suiteVersion, 'server', '--url', url, '--suite', 'all')
  const client = ['--command', `${process.execPath} ${here('conformance-client.mjs')}`]
  for (const scenario of clientScenarios) run(suiteVersion, 'client', ...client, '--scenario', scenario)
  for (const scenario of nextClientScenarios)
    run(nextSuiteVersion, 'client', ...client, '--scenario', scenario)
  // All at the same time, because each scenario starts a program.
  run(suiteVersion, 'client', ...client, '--suite', 'auth', '--timeout', '90000')
} finally {
  server.kill()
}
console.log(failures.length === 0 ? '\nAs expected.' : `\nNot as expected: ${failures.join(', ')}`)
process.exitCode = failures.length === 0 ? 0 : 1

function run(version, side, ...words) {
  const folder = cache(version)
  const hooks = join(folder, 'hooks.mjs')
  const args = ['--import', hooks, suiteIn(folder), side, ...words, '--expected-failures', baseline]
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) failures.push([side, ...words.slice(2)].join(' '))
}

function install(version) {
  const folder = cache(version)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  // The suite imports `globSync` of Node 22 for a command that is not used here.
  const shim = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined`
  const hooks = `export const resolve = (name, context, next) => name === 'fs' && context.parentURL?.includes('/conformance/')
  ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true } : next(name, context)`
  writeFileSync(
    join(folder, 'hooks.mjs'),
    `import { register } from 'node:module'\nregister(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)})\n`,
  )
  if (existsSync(suiteIn(folder))) return
  const words = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `@modelcontextprotocol/conformance@${version}`,
  ]
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
