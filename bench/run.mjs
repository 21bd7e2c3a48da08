/**
 * Runs a benchmark written in TypeScript: `node bench/run.mjs bench/compat/main.ts …arguments`.
 * Node 20 does not read TypeScript, so the entry is bundled to a file beside the installed packages and started.
 */
import { mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const [entry, ...rest] = process.argv.slice(2)
if (!entry) {
  console.error('Name the benchmark: node bench/run.mjs bench/compat/main.ts …')
  process.exit(2)
}
const folder = fileURLToPath(new URL('../node_modules/.cache/toolscope-bench', import.meta.url))
await mkdir(folder, { recursive: true })
const file = resolve(folder, `${process.pid}.mjs`)
const bundle = await rolldown({
  input: resolve(entry),
  platform: 'node',
  // Packages stay as they are installed; only our own files are bundled, and JSON, which Node does not import.
  external: id => !/^(\.|\/|[A-Za-z]:[\\/])|\.json$/.test(id),
  logLevel: 'silent',
})
await bundle.write({ file, format: 'esm', codeSplitting: false })
try {
  process.argv.splice(1, 2, entry)
  void rest
  await import(pathToFileURL(file).href)
} finally {
  await rm(file, { force: true })
}
