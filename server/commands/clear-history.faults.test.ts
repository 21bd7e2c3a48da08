import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bundle } from '../history/bundle.testkit.ts'
import { resolveInRepository } from '../sources/testkit.ts'

/** Runs a program with this data directory. */
function run(folder: string, ...words: string[]) {
  const env = { ...process.env, TOOLSCOPE_DATA_DIR: folder }
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    cwd: folder,
    env,
  })
  return { status, stdout, stderr }
}

describe('toolscope history on a full disk', () => {
  test('--clear deletes the calls and frees space', async context => {
    const directory = mkdtempSync(join(tmpdir(), 'toolscope-clear-'))
    const disk = join(directory, 'disk')
    mkdirSync(disk)
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk], { stdio: 'pipe' })
    } catch {
      rmSync(directory, { recursive: true })
      context.skip('mounting is not allowed here')
    }
    const writer = await bundle('./writer.fixture-program.ts')
    try {
      expect(run(disk, writer, '5')).toMatchObject({ status: 0, stderr: '' })
      try {
        writeFileSync(join(disk, 'filler'), Buffer.alloc(16 << 20))
      } catch {
        // Full now.
      }
      expect(statfsSync(disk).bavail).toBe(0)
      const cleared = run(disk, resolveInRepository('dist/server/main.js'), 'history', '--clear')
      expect(cleared).toEqual({ status: 0, stdout: '', stderr: 'Deleted 100 calls.\n' })
      expect(statfsSync(disk).bavail).toBeGreaterThan(0)
      rmSync(join(disk, 'filler'))
      expect(run(disk, writer, '1')).toMatchObject({ status: 0, stderr: '' })
    } finally {
      execFileSync('umount', ['--lazy', disk])
      rmSync(directory, { recursive: true, force: true })
      rmSync(writer, { force: true })
    }
  })
})
