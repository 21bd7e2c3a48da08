import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isolateTemporaryFolder } from '../testing/temporary-folder.ts'
import { createLlmOutput } from './llm-output.ts'

isolateTemporaryFolder()

test('createLlmOutput: removes the output folders of a killed Toolscope and no other folders', async () => {
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
