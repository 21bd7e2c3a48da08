import { builtinModules } from 'node:module'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { minifySync } from 'rolldown/utils'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { chromiumLaunchOptions } from './scripts/chromium.mjs'
import { joinFiles, joinFirstLoad } from './scripts/join-files.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The build gate: a Node built-in in the page's bundle is an error, not an empty stub. */
function noNodeBuiltins(): Plugin {
  const builtins = new Set(builtinModules)
  return {
    name: 'toolscope:no-node-builtins',
    enforce: 'pre',
    resolveId(id, importer) {
      if (id.startsWith('node:') || builtins.has(id))
        this.error(`${importer ?? 'the page'} imports the Node built-in "${id}"`)
      return null
    },
  }
}

/** Stores the tokenizer's table compressed, next to its module: 0.9 MB instead of 2.5. */
function compressTokenTable(): Plugin {
  const fileName = 'o200k_base.json.br'
  return {
    name: 'toolscope:compress-token-table',
    async load(id) {
      if (!id.endsWith('/bpeRanks/o200k_base.js')) return null
      const { default: table } = await import(pathToFileURL(id).href)
      const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 22 }
      this.emitFile({
        type: 'asset',
        fileName,
        source: brotliCompressSync(JSON.stringify(table), { params }),
      })
      return [
        "import { readFileSync } from 'node:fs'",
        "import { brotliDecompressSync } from 'node:zlib'",
        `const file = new URL('./${fileName}', import.meta.url)`,
        'export default JSON.parse(brotliDecompressSync(readFileSync(file)).toString())',
      ].join('\n')
    },
  }
}

/** Parts of the page that an export has no use for: forms, calls and the editor. */
const leftOut = [
  /^.*\/form\/(?:input-editor\.tsx|draft\.ts)$/,
  /^.*\/examples\/(?:examples-tab|compare-page)\.tsx$/,
  /^.*\/generated-tests\/generated-tests\.tsx$/,
  // An export calls nothing, and has no second origin.
  /^.*\/app\/app-viewer\.tsx$/,
  // The console calls; its engine alone is seven megabytes.
  /^\.\/(?:console|history|review|wire)-route\.tsx$/,
  /^\.\/monaco-(?:editor|diff)\.tsx$/,
].map(find => ({ find, replacement: here('./src/export/left-out.tsx') }))

/**
 * The page of an export (dist/export): one classic script and one style sheet, because a browser loads neither modules
 * nor workers' files from a folder on disk (file://).
 */
const exportBuild = {
  outDir: 'dist/export',
  target: 'es2023',
  assetsInlineLimit: 0,
  cssCodeSplit: false,
  modulePreload: false,
  chunkSizeWarningLimit: 4000,
  rolldownOptions: {
    input: here('./src/export/main.tsx'),
    // `import.meta` is empty in a classic script. Only the builder's own helpers contain it, and nothing here reads it.
    checks: { emptyImportMeta: false },
    output: {
      format: 'iife' as const,
      codeSplitting: false,
      entryFileNames: 'assets/page-[hash].js',
      assetFileNames: 'assets/[name]-[hash][extname]',
    },
  },
}

/** The libraries of examples/acme as one file (dist/libraries): without them, a user installs six megabytes less. */
const exampleBuild = {
  ssr: here('./examples/acme/example-libraries.mjs'),
  outDir: 'dist/libraries',
  target: 'node20',
  minify: true,
}

/**
 * Writes the chunks of the program that contain only packages without spaces and with short names of variables, so that the
 * installed program stays small. Names of functions and classes stay: packages read them, and so do stack traces.
 */
const shrinkPackages = (): Plugin => ({
  name: 'toolscope:shrink-packages',
  renderChunk(code, { fileName, moduleIds }) {
    if (!moduleIds.every(id => id.includes('/node_modules/') || id.startsWith('\0'))) return null
    const options = { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } }
    const { code: shrunk, errors } = minifySync(fileName, code, options)
    const [error] = errors
    if (error !== undefined) throw new Error(`Couldn't shrink ${fileName}: ${error.message}`)
    return { code: shrunk, map: null }
  },
})

/** Reads ranges of characters: the distance of each first character from the range before, and how many more follow it. */
const readRanges = (text: string) => {
  let end = 0
  return text.split(' ').map(pair => {
    const [gap = 0, length = 0] = pair.split(',').map(part => Number.parseInt(part, 36))
    const min = end + gap
    end = min + length
    return { min, max: end }
  })
}

/**
 * Writes refa's tables of Unicode, which the program, the page and the export each contain, as short texts: 0.55 MB of
 * `{"min":65,"max":90}` become 0.12 MB.
 */
const shrinkRanges = (): Plugin => ({
  name: 'toolscope:shrink-ranges',
  transform(code, id) {
    if (!id.includes('/node_modules/refa/')) return null
    const shrunk = code.replaceAll(/JSON\.parse\('(\[\{"min":[^']+)'\)/g, (_, json) => {
      let end = 0
      const pairs = JSON.parse(json).map(({ min, max }: { min: number; max: number }) => {
        const pair = [min - end, max - min].map(number => number.toString(36))
        end = max
        return pair.join(',')
      })
      const text = pairs.join(' ')
      if (JSON.stringify(readRanges(text)) !== json)
        throw new Error('Ranges of refa are not read as they were.')
      return `readRanges("${text}")`
    })
    if (shrunk === code) throw new Error('refa has no tables of ranges any more: remove this plugin.')
    return { code: `${shrunk}\nfunction readRanges(text) { return (${readRanges})(text) }`, map: null }
  },
})

/** Files that only `npm run faults` runs: faults, long walks and timed loads. */
const faultFiles = process.env.TOOLSCOPE_FAULTS === 'all' ? [] : ['**/*.faults.*']

/**
 * `vite build` makes the page (dist/page), `vite build --ssr` the program (dist/server), `vite build --mode export` the
 * page of `toolscope export` (dist/export), `vite build --mode examples` the libraries of the examples (dist/libraries).
 */
export default defineConfig(({ isSsrBuild, mode }) => ({
  plugins: isSsrBuild
    ? [compressTokenTable(), shrinkRanges(), shrinkPackages()]
    : mode === 'test' || mode === 'examples'
      ? []
      : [noNodeBuiltins(), shrinkRanges(), react()],
  publicDir: isSsrBuild || mode === 'examples' ? false : 'public',
  resolve: {
    alias: isSsrBuild
      ? []
      : [
          ...(mode === 'export' ? leftOut : []),
          // @rjsf/core's index re-exports a test helper that imports this package; the page has its own validator.
          { find: '@rjsf/validator-ajv8', replacement: here('./src/features/form/no-ajv.ts') },
          // Monaco's own imports every feature of the editor, and too late.
          {
            find: /^(?:\.\.\/)+internal\/common\/workers\.js$/,
            replacement: here('./src/ui/json-editor/monaco-workers.ts'),
          },
        ],
  },
  // PostCSS warns about every CSS module. A container's name must stay as it is: other modules query it.
  css: { transformer: 'lightningcss', lightningcss: { cssModules: { container: false } } },
  // Half of the time of a start went into looking up and compiling hundreds of small files (decision 033). Outside
  // stay what is loaded late, native, or finds files of its own next to itself.
  ssr: { noExternal: true, external: ['@everruns/bashkit-wasm', 'libsql', 'open'] },
  build: isSsrBuild
    ? {
        outDir: 'dist/server',
        ssrEmitAssets: true,
        license: { fileName: 'licenses.json' },
        target: 'node20',
        minify: false,
        rolldownOptions: {
          input: {
            main: here('./server/main.ts'),
            'validation-worker': here('./server/workers/worker.ts'),
            'script-worker': here('./server/calls/script-worker.ts'),
            'token-worker': here('./server/workers/token-worker.ts'),
            'diff-worker': here('./server/versions/diff-worker.ts'),
            'changelog-worker': here('./server/versions/changelog-worker.ts'),
          },
          output: {
            entryFileNames: '[name].js',
            chunkFileNames: '[name]-[hash].js',
            codeSplitting: joinFiles(here),
            // Stack traces stay readable without them; the licences are in licenses.json.
            comments: false,
          },
        },
      }
    : mode === 'export'
      ? exportBuild
      : mode === 'examples'
        ? exampleBuild
        : {
            outDir: 'dist/page',
            license: { fileName: 'licenses.json' },
            target: 'es2023',
            assetsInlineLimit: 0,
            chunkSizeWarningLimit: 4000,
            rolldownOptions: { output: { codeSplitting: joinFirstLoad(here) } },
          },
  worker: {
    format: mode === 'export' ? ('iife' as const) : ('es' as const),
    plugins: () => [shrinkRanges()],
  },
  test: {
    // For what hangs. No test is about time, and random schemas take what they take on a busy machine.
    testTimeout: 180_000,
    // The same for what a test waits for.
    expect: { poll: { timeout: 30_000 } },
    // The files of a worker share their modules: loading them for each file took as long as the tests.
    isolate: false,
    // The tests of real programs wait more than they work.
    maxWorkers: availableParallelism() * 2,
    // A PostgreSQL of its own takes its time to start on a busy machine.
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'pure',
          sequence: { groupOrder: 0 },
          include: ['{core,src}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.browser.test.tsx', ...faultFiles],
        },
      },
      {
        extends: true,
        plugins: [react()],
        // All that the page imports is prepared at once: a package found later would load the page again in a test.
        optimizeDeps: {
          entries: ['src/main.tsx'],
          // Only a test imports it, by core/prompt/connect.ts.
          include: ['smol-toml'],
          exclude: ['monaco-editor', '@everruns/bashkit-wasm'],
        },
        test: {
          name: 'component',
          // Before the tests of real programs: next to them a page is sometimes drawn too late for a test.
          sequence: { groupOrder: 1 },
          include: ['src/**/*.browser.test.tsx'],
          exclude: faultFiles,
          // They work more than they wait: more pages at once than processors make each of them late.
          maxWorkers: availableParallelism(),
          // A busy machine draws a page late. An element that never comes is named before the test ends: a test that
          // ends while it waits would press its keys in the page of the next one.
          testTimeout: 90_000,
          expect: { poll: { timeout: 40_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromiumLaunchOptions() }),
            instances: [{ browser: 'chromium', viewport: { width: 1440, height: 900 } }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'real',
          sequence: { groupOrder: 2 },
          include: ['{server,scripts,examples}/**/*.test.ts'],
          exclude: faultFiles,
          globalSetup: [here('./scripts/current-server.mjs'), here('./server/testing/global-setup.ts')],
        },
      },
    ],
    // Programs that tests start must not write into the user's own history. server/testing/global-setup.ts removes it.
    env: { TOOLSCOPE_DATA_DIR: join(tmpdir(), `toolscope-data-${process.pid}`) },
  },
}))
