import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect } from 'vitest'
import { bundle, runAndKill } from '../history/bundle.testkit.ts'
import { test } from '../testing/folder-test.ts'
import { readRecording } from './recording-file.ts'

const kills = 20
const gibibyte = 1024 ** 3
const maxMemoryBytes = 200 * 1024 * 1024

describe('recording file', () => {
  test('SIGKILL at any moment leaves a file that opens and that has all but the last second', async ({
    folder,
  }) => {
    const program = await bundle('../wire/recording.fixture-program.ts')
    const file = join(folder, 'a.toolrec')
    for (let kill = 0; kill < kills; kill += 1) {
      const args = ['write', file, String(gibibyte)]
      const { lines, stderr } = await runAndKill(program, {}, Math.random() * 2_500, args)
      expect(stderr).toBe('')
      let last = 0
      for await (const { line } of readRecording(file))
        if (line.type === 'message') expect(line.seq).toBe(++last)
      expect(last).toBeGreaterThanOrEqual(Number(lines.at(-1)))
      rmSync(file)
    }
  })

  test('1 GB is written and read in less than 200 MB of memory', async ({ folder }) => {
    const program = await bundle('../wire/recording.fixture-program.ts')
    const file = join(folder, 'a.toolrec')
    const runProgram = async (...args: string[]) => {
      const { stdout } = await promisify(execFile)(process.execPath, [program, ...args])
      return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
    }
    const written = await runProgram('write', file, String(gibibyte))
    const read = await runProgram('read', file)
    expect(read).toMatchObject({ messages: written.messages, isCut: false })
    expect(written.memoryBytes).toBeLessThan(maxMemoryBytes)
    expect(read.memoryBytes).toBeLessThan(maxMemoryBytes)
  })
})
