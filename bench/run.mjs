/**
 * `npm run bench -- NAME …arguments` runs a benchmark or a corpus check; without a name it lists them. Node 20 does not
 * read TypeScript, so such an entry is bundled to a file next to the installed packages and started.
 */
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

/** The file and the description of each benchmark. */
const benchmarks = {
  browser: ['browser/main.mjs', 'what the page costs in the browser'],
  call: ['call/main.mjs', 'what a call through Toolscope costs'],
  changelog: ['changelog/main.ts', 'how fast a long changelog is made'],
  compat: [
    'compat/main.ts',
    '--data FILE: how many pairs of schemas the containment engine decides, and how fast',
  ],
  diff: ['diff/main.ts', '[--data DIR]: how fast manifests are compared, and what is found'],
  forms: ['forms/run.mjs', '--data DIR: the form of each schema, in Chromium'],
  'forms-pictures': ['forms/pictures.mjs', 'the pictures of docs/forms.md'],
  fuzz: ['fuzz/main.ts', '[--data DIR]: changed manifests and results through the program'],
  help: ['help/main.ts', '--data DIR: the help of each tool'],
  originals: ['originals/main.ts', '--data DIR: Toolscope against what the original systems print'],
  prompt: ['prompt/main.ts', '--data DIR: the prompts of real tools'],
  samples: ['samples/main.ts', '--data DIR: what "Fill example" fills in for each tool'],
  'schema-suite': [
    'schema-suite/main.ts',
    '--data DIR: the validator against the official JSON Schema test suite',
  ],
  search: ['search/main.ts', '--data DIR: how often the search finds the right tool'],
  server: ['server/main.mjs', 'what large catalogs cost the server'],
  soak: ['soak/main.ts', 'the containment engine on random pairs of schemas'],
  'soak-reports': ['soak-reports/main.ts', 'diff reports on random pairs of schemas'],
  start: ['start/main.mjs', 'what a start of the command line costs'],
  store: ['store/main.ts', 'a store with a million calls'],
}

const [name, ...args] = process.argv.slice(2)
if (name === undefined || !Object.hasOwn(benchmarks, name)) {
  console.error('Usage: npm run bench -- NAME …arguments\n')
  for (const [each, [, purpose]] of Object.entries(benchmarks))
    console.error(`  ${each.padEnd(16)}${purpose}`)
  process.exit(2)
}
const entry = fileURLToPath(new URL(benchmarks[name][0], import.meta.url))
process.argv = [process.execPath, entry, ...args]
if (entry.endsWith('.mjs')) await import(pathToFileURL(entry).href)
else await runTypeScript()

async function runTypeScript() {
  const folder = fileURLToPath(new URL('../node_modules/.cache/toolscope-bench', import.meta.url))
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
