/** Builds the bare page with the real InputEditor, and Ajv to compare the verdicts, into a folder of their own. */
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const here = path => fileURLToPath(new URL(path, import.meta.url))

export async function buildBench() {
  const dir = await mkdtemp(join(here('../../node_modules'), '.forms-bench-'))
  const shared = { configFile: false, logLevel: 'error', publicDir: false }
  await build({
    ...shared,
    root: here('./page'),
    base: './',
    plugins: [react()],
    resolve: { alias: { '@rjsf/validator-ajv8': here('../../src/features/form/no-ajv.ts') } },
    worker: { format: 'es' },
    build: { outDir: join(dir, 'page'), target: 'es2023', minify: false, chunkSizeWarningLimit: 20_000 },
  })
  await build({
    ...shared,
    root: here('../..'),
    build: {
      outDir: join(dir, 'judge'),
      ssr: here('../../core/validation/ajv.testkit.ts'),
      target: 'node20',
    },
  })
  const { compileSchema } = await import(pathToFileURL(join(dir, 'judge/ajv.testkit.js')).href)
  return {
    pageDir: join(dir, 'page'),
    compileSchema,
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}
