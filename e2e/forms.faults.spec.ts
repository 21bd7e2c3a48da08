import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { project } from '../scripts/project.mjs'
import { expect, test } from './support/toolscope.ts'

/** Every construct of JSON Schema through the real form: the check that also runs on collections of real schemas. */
test('form: keeps every value of each JSON Schema construct, is filled by events alone and never freezes', async () => {
  test.setTimeout(300_000)
  const args = ['bench/forms/run.mjs', '--data', 'bench/forms/constructs.json', '--json']
  const run = promisify(execFile)(process.execPath, args, { cwd: project('.'), maxBuffer: 64 * 1024 * 1024 })
  // Under the bar it exits with 1 and prints the same summary.
  const { stdout } = await run.catch((failed: { stdout: string }) => failed)
  const summary = JSON.parse(stdout)
  expect(summary.failures).toEqual([])
  expect(summary).toMatchObject({ unsupported: 0, crashes: 0, hangs: 0, jsonFallbackNodes: 0 })
  expect(summary.rendered).toBe(summary.tools)
  expect(summary.filledFromEmpty).toBe(summary.tools)
  expect(summary.roundTripped).toBe(summary.instances)
  expect(summary.instances).toBeGreaterThan(summary.tools * 3)
})
