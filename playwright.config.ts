import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from './scripts/chromium.mjs'

/** `npm run faults` runs the long walks (`*.faults.spec.ts`), `npm run e2e` the other files. */
const isFaultsRun = process.env.TOOLSCOPE_FAULTS === 'all'

export default defineConfig({
  testDir: 'e2e',
  ...(isFaultsRun ? { testMatch: '**/*.faults.spec.ts' } : { testIgnore: '**/*.faults.*' }),
  globalSetup: './e2e/support/global-setup.ts',
  outputDir: 'test-results/e2e',
  snapshotPathTemplate: '{testDir}/snapshots/{arg}{ext}',
  // The tests of a file share its servers: they run in one worker.
  fullyParallel: false,
  // A test waits for programs and for the page more than it works.
  workers: availableParallelism() + 1,
  // Programs start and answer late on a busy machine. A test that is about time states its own limit.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: `test-results/${isFaultsRun ? 'faults-e2e' : 'e2e'}.json` }]],
  use: {
    viewport: { width: 1440, height: 900 },
    // The storage is emptied between tests; code that is loaded stays.
    reuseContext: true,
    // A trace costs nearly half of a test's time: `npx playwright test <spec> --trace on` when one is wanted.
    trace: 'off',
    launchOptions: chromiumLaunchOptions(),
  },
})
