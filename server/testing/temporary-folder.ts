/**
 * A temporary folder (TMPDIR) for the tests of one file, because other tests write into the usual one at the same time.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, vi } from 'vitest'

/** Call it at the top of a test file. `tmpdir()` returns the folder from the first test to the last. */
export function isolateTemporaryFolder(): void {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-test-'))
  beforeAll(() => {
    vi.stubEnv('TMPDIR', folder)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
}
