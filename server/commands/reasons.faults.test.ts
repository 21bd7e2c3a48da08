/** A command whose source never answers: it waits for the whole limit. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { limitNow } from '../../scripts/test-processes.ts'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

test('list: fails within 15 seconds for a program that never answers, and says what it waits for', async ({
  folder,
}) => {
  writeFileSync(join(folder, 'waits.mjs'), 'console.error("ready"); setInterval(() => {}, 1000)')
  const started = performance.now()
  const { code, stderr } = await runCommandLine(['list', 'node waits.mjs'], { directory: folder })
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(
      /^Waiting for node waits\.mjs to list its tools, asked with --llms …\n.*did not answer within \d+ s.*\n {2}It wrote, asked as an MCP server:\n {2}\| ready\n {2}Also tried with --llms: /,
    ),
  ])
  expect(performance.now() - started).toBeLessThan(limitNow(20_000))
})
