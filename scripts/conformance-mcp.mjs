/**
 * The official conformance suite against `toolscope mcp --http` and against our client: `npm run conformance:mcp`.
 * Needs the built program. The suite is no dependency (it brings 120 packages, some for Node 22 only): it is fetched
 * once, at the version below, into the cache.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = '0.1.16'
const here = path => fileURLToPath(new URL(path, import.meta.url))

/** Scenarios that fail, and why that is right. One that begins to pass fails the run, so that it is taken out here. */
const expected = {
  server: {
    'What a server of tools alone does not have': [
      'logging-set-level',
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
    'A server without sessions keeps no streams to come back to': [
      'server-sse-polling',
      'server-sse-multiple-streams',
    ],
    'A source has no way to ask the client back, or to write to its log': [
      'tools-call-with-logging',
      'tools-call-sampling',
      'tools-call-elicitation',
      'elicitation-sep1034-defaults',
      'elicitation-sep1330-enums',
    ],
  },
  client: {},
}
const clientScenarios = ['initialize', 'tools_call', 'sse-retry']

const folder = here('../node_modules/.cache/toolscope-conformance')
const suite = join(folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
install()
const baseline = join(folder, 'expected.yml')
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
  run('server', '--url', url, '--suite', 'all')
  for (const scenario of clientScenarios)
    run(
      'client',
      '--command',
      `${process.execPath} ${here('conformance-client.mjs')}`,
      '--scenario',
      scenario,
    )
} finally {
  server.kill()
}
console.log(failures.length === 0 ? '\nAs expected.' : `\nNot as expected: ${failures.join(', ')}`)
process.exitCode = failures.length === 0 ? 0 : 1

function run(side, ...words) {
  const args = ['--import', join(folder, 'hooks.mjs'), suite, side, ...words, '--expected-failures', baseline]
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) failures.push([side, ...words.slice(2)].join(' '))
}

function install() {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  // The suite imports `globSync`, which Node has since 22, for a command that is not used here.
  const shim = `export * from 'node:fs'; export { default } from 'node:fs'; export const globSync = undefined`
  const hooks = `export const resolve = (name, context, next) => name === 'fs' && context.parentURL?.includes('/conformance/')
  ? { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true } : next(name, context)`
  writeFileSync(
    join(folder, 'hooks.mjs'),
    `import { register } from 'node:module'\nregister(${JSON.stringify(`data:text/javascript,${encodeURIComponent(hooks)}`)})\n`,
  )
  if (existsSync(suite)) return
  const words = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `@modelcontextprotocol/conformance@${VERSION}`,
  ]
  execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
