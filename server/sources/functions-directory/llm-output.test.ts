import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLlmOutput } from './llm-output.ts'

process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'output-test-'))
afterAll(() => rmSync(tmpdir(), { recursive: true, force: true }))

test('the first call takes away what a killed Toolscope left, and nothing else', async () => {
  const { pid: ended } = spawnSync(process.execPath, ['-e', ''])
  const make = (name: string) => {
    const folder = join(tmpdir(), name)
    mkdirSync(folder)
    return folder
  }
  const left = make(`toolscope-output-${ended}-abc`)
  const others = [
    `toolscope-output-${process.pid}-abc`,
    'toolscope-output-1-abc',
    'toolscope-output-notes',
    `toolscope-${ended}-abc`,
  ].map(make)
  const output = await createLlmOutput()
  expect(existsSync(left)).toBe(false)
  expect(others.filter(folder => !existsSync(folder))).toEqual([])
  expect(existsSync(output.path)).toBe(true)
  await output.remove()
  await output.remove()
  expect(existsSync(output.path)).toBe(false)
})
