/**
 * `npm run bench -- NAME …arguments` runs a benchmark or a corpus check; without a name it lists them. Node 20 does not
 * read TypeScript, so such an entry is bundled to a file next to the installed packages and started.
 */
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { project } from '../scripts/project.mjs'

/** The file and the description of each benchmark. */
const benchmarks = {
  browser: ['browser.mjs', 'what the page costs in the browser'],
  call: ['call.mjs', 'what a call through Toolscope costs'],
  changelog: ['long-changelog.ts', 'how fast a long changelog is made'],
  compat: [
    'compat.ts',
    '--data FILE: how many pairs of schemas the containment engine decides, and how fast',
  ],
  diff: ['diff.ts', '[--data DIR]: how fast manifests are compared, and what is found'],
  forms: ['forms/run.mjs', '--data DIR: the form of each schema, in Chromium'],
  fuzz: ['fuzz.ts', '[--data DIR]: changed manifests and results through the program'],
  generate: [
    'generate.ts',
    '--data DIR: the test inputs of each tool, and whether two validators confirm them',
  ],
  help: ['help.ts', '--data DIR: the help of each tool'],
  mock: ['mock.ts', '--data DIR: the made-up answers of each tool, by two other validators'],
  originals: ['compare-originals.ts', '--data DIR: Toolscope against what the original systems print'],
  prompt: ['prompt-tokens.ts', '--data DIR: the prompts of real tools'],
  samples: ['samples.ts', '--data DIR: what "Fill example" fills in for each tool'],
  'schema-suite': [
    'schema-suite.ts',
    '--data DIR: the validator against the official JSON Schema test suite',
  ],
  search: ['search.ts', '--data DIR: how often the search finds the right tool'],
  server: ['server.mjs', 'what large catalogs cost the server'],
  'soak-reports': ['soak-reports.ts', '[--data DIR]: diff reports on random pairs of schemas'],
  replay: ['replay.mjs', 'recorded calls of real servers, replayed with the servers stopped'],
  start: ['start-times.mjs', 'what a start of the command line costs'],
  store: ['million-calls.ts', 'a store with a million calls'],
  tap: ['tap.mjs', 'what a tap adds to a call over stdio'],
  team: ['team.ts', 'two replicas on PostgreSQL: open pages, callers, and faults'],
  wire: ['wire.ts', 'what the wire costs a call'],
}

const [name, ...args] = process.argv.slice(2)
if (name === undefined || !Object.hasOwn(benchmarks, name)) {
  console.error('Usage: npm run bench -- NAME …arguments\n')
  for (const [each, [, purpose]] of Object.entries(benchmarks))
    console.error(`  ${each.padEnd(16)}${purpose}`)
  process.exit(2)
}
const entry = project(`bench/${benchmarks[name][0]}`)
process.argv = [process.execPath, entry, ...args]
if (entry.endsWith('.mjs')) await import(pathToFileURL(entry).href)
else await runTypeScript()

async function runTypeScript() {
  const folder = project('node_modules/.cache/toolscope-bench')
  await mkdir(folder, { recursive: true })
  const file = resolve(folder, `${process.pid}.mjs`)
  const bundle = await rolldown({
    input: entry,
    platform: 'node',
    // Only our own files are bundled, and JSON, which Node does not import; packages are loaded as installed.
    external: id => !/^(\.|\/|[A-Za-z]:[\\/])|\.json$/.test(id),
    logLevel: 'silent',
  })
  await bundle.write({ file, format: 'esm', codeSplitting: false })
  try {
    await import(pathToFileURL(file).href)
  } finally {
    await rm(file, { force: true })
  }
}
