/** The limits of docs/configuration.md for servers that never answer, while the program's garbage is collected. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, it } from 'vitest'
import { listenOnce } from './fetch/network.testkit.ts'
import { resolveInRepository } from './sources/testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-limits-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const manifest = join(folder, 'tools.json')
writeFileSync(manifest, '{"tools":[]}')

const silent: RequestListener = () => {}
const dripping: RequestListener = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 200)
  response.once('close', () => clearInterval(timer))
}

/** Runs the program to its end, or ends it after `maxMs`; then the code is null. */
function run(words: readonly string[], maxMs: number) {
  const collecting = ['--expose-gc', '--import', resolveInRepository('server/testing/collect-garbage.mjs')]
  const child = spawn(
    process.execPath,
    [...collecting, resolveInRepository('dist/server/main.js'), ...words],
    {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', TOOLSCOPE_DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: maxMs,
      killSignal: 'SIGKILL',
    },
  )
  const started = performance.now()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise<{ code: number | null; stderr: string; ms: number }>(resolve => {
    child.once('close', code => resolve({ code, stderr, ms: performance.now() - started }))
  })
}

// The program may take long to start on a busy machine. Without the limit it never ends.
const maxStartMs = 30_000

const diff = (address: string) => ['diff', `${address}x.json`, manifest]
const list = (address: string) => ['list', `bridge:${address}`]

describe.concurrent('limits', () => {
  it.for<[string, number, (address: string) => string[], RequestListener]>([
    ['diff, a silent server', 15, diff, silent],
    ['diff, a body that drips', 15, diff, dripping],
    ['list, a silent bridge', 20, list, silent],
    ['list, a list that drips', 20, list, dripping],
  ])('%s: ends after %i s', async ([, seconds, words, listener], { expect, onTestFinished }) => {
    const address = `http://127.0.0.1:${await listenOnce(listener, onTestFinished)}/`
    const { code, stderr, ms } = await run(words(address), seconds * 1_000 + maxStartMs)
    expect([code, stderr]).toEqual([3, expect.stringContaining(`did not answer within ${seconds} s`)])
    expect(ms).toBeGreaterThanOrEqual(seconds * 1_000)
  })
})
