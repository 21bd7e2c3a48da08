import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { isRunning, until } from '../../scripts/test-processes.ts'
import { test } from '../testing/folder-test.ts'
import { readTap, tapWords } from './tap.testkit.ts'

const gigabyte = 1_000_000_000
const maxMemoryKb = 200 * 1024

/** Writes lines of 5 kB until it has written this many bytes. */
const writer = `const line = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { text: 'é'.repeat(2500) } }) + '\\n'
  const chunk = line.repeat(20), size = Buffer.byteLength(chunk); let written = 0
  ;(function write() { while (written < ${gigabyte}) { written += size; if (!process.stdout.write(chunk)) return process.stdout.once('drain', write) } })()`

describe('tap of a program', () => {
  test.runIf(process.platform === 'linux')(
    'records 1 GB in less than 200 MB of memory',
    async ({ folder }) => {
      const file = join(folder, 'a.toolrec')
      const [command = '', ...args] = tapWords(file, '--', process.execPath, '-e', writer)
      const tap = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] })
      onTestFinished(() => void tap.kill('SIGKILL'))
      let bytes = 0
      let memoryKb = 0
      tap.stdout.on('data', (chunk: Buffer) => {
        const isNext = bytes >> 23 !== (bytes + chunk.length) >> 23
        bytes += chunk.length
        if (!isNext || tap.exitCode !== null) return
        const [, rss = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${tap.pid}/status`, 'utf8')) ?? []
        memoryKb = Math.max(memoryKb, Number(rss))
      })
      const [code] = await once(tap, 'close')
      expect(code).toBe(0)
      expect(bytes).toBeGreaterThanOrEqual(gigabyte)
      expect(memoryKb).toBeGreaterThan(0)
      expect(memoryKb).toBeLessThan(maxMemoryKb)
    },
  )

  test('SIGKILL of the tap ends the server, and leaves a file that opens', async ({ folder }) => {
    const file = join(folder, 'a.toolrec')
    const server = `console.log(process.pid); setInterval(() => {}, 1e6)`
    const [command = '', ...args] = tapWords(file, '--', process.execPath, '-e', server)
    const tap = spawn(command, args)
    onTestFinished(() => void tap.kill('SIGKILL'))
    const [chunk] = await once(tap.stdout, 'data')
    const pid = Number(String(chunk))
    await expect.poll(async () => (await readTap(file)).messages.length).toBe(1)
    expect(isRunning(pid)).toBe(true)
    tap.kill('SIGKILL')
    await until(() => !isRunning(pid))
    expect((await readTap(file)).masked).toBeUndefined()
  })
})
