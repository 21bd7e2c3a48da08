/** A test with `folder`, an empty temporary folder of its own. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base } from 'vitest'

export const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the parameter's shape.
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolscope-test-'))
    await use(folder)
    // A program that was just ended may still be writing.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  },
})
