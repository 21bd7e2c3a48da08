/** Access: every server of the program requires a token, or says that it does not. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { program, runToolscope } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'

const token = '0123456789abcdef'

interface Server {
  readonly url: string
  readonly child: ChildProcess
  stderr(): string
  status(headers?: Record<string, string>): Promise<number | undefined>
}

/** Starts `toolscope <args>` in a folder, and ends it after `act`. */
async function serving(
  args: readonly string[],
  { directory, environment = {} }: { directory: string; environment?: NodeJS.ProcessEnv },
  act: (server: Server) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: directory,
    env: { ...process.env, TOOLSCOPE_DATA_DIR: join(directory, 'data'), ...environment },
  })
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', text => {
    stderr += text
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', code => reject(new Error(`it ended with ${code}: ${stderr}`)))
    child.stdout.on('data', text => {
      stdout += text
      const found = /ready: (\S+)/.exec(stdout)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  const status = (headers: Record<string, string> = {}) =>
    new Promise<number | undefined>((resolve, reject) => {
      const path = args[0] === 'bridge' ? `${url}/tools` : url
      const call = request(path, { method: args[0] === 'mcp' ? 'POST' : 'GET', headers }, answer => {
        answer.resume()
        resolve(answer.statusCode)
      })
      call.on('error', reject)
      call.end(args[0] === 'mcp' ? '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}' : undefined)
    })
  try {
    await act({ url, child, stderr: () => stderr, status })
  } finally {
    const ended = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGTERM')
    await ended
  }
}

const mcp = ['mcp', 'tools.json', '--http']
const bridge = ['bridge', 'mcp.json', '--port', '0']
const bearer = (given: string) => ({
  authorization: `Bearer ${given}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
})

function files(folder: string): string {
  writeFileSync(join(folder, 'tools.json'), '{"tools": []}')
  writeFileSync(join(folder, 'mcp.json'), '{"mcpServers": {}}')
  return folder
}

describe('token', () => {
  test('of mcp --http is random, required, and printed on stderr', async ({ folder }) => {
    await serving(mcp, { directory: files(folder) }, async ({ status, stderr, url }) => {
      expect(await status()).toBe(401)
      expect(await status(bearer(token))).toBe(401)
      const given = /Authorization: Bearer (\S+)/.exec(stderr())?.[1] ?? ''
      expect(given.length).toBeGreaterThanOrEqual(32)
      expect(url).not.toContain(given)
      expect([401, 403]).not.toContain(await status(bearer(given)))
    })
  })

  test('is not needed with mcp --http --without-token, which refuses pages', async ({ folder }) => {
    await serving([...mcp, '--without-token'], { directory: files(folder) }, async ({ status }) => {
      expect([401, 403]).not.toContain(await status())
      expect(await status({ origin: 'https://evil.example' })).toBe(403)
      expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
      expect(await status({ host: 'evil.example' })).toBe(403)
    })
  })

  test('is not needed for the bridge, which says so once and refuses pages', async ({ folder }) => {
    await serving(bridge, { directory: files(folder) }, async ({ status, stderr }) => {
      expect(await status()).toBe(200)
      expect(stderr().match(/Every program of this machine may call/g)).toHaveLength(1)
      expect(await status({ origin: 'null' })).toBe(403)
      expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
      expect(await status({ host: 'evil.example' })).toBe(403)
    })
  })

  test('of the bridge comes from the environment or a file, and is not printed', async ({ folder }) => {
    writeFileSync(join(files(folder), 'token'), `${token}\n`)
    const ways = [
      { args: bridge, environment: { TOOLSCOPE_TOKEN: token } },
      { args: [...bridge, '--token-file', 'token'], environment: {} },
    ]
    for (const { args, environment } of ways)
      await serving(args, { directory: folder, environment }, async ({ status, stderr }) => {
        expect([await status(), await status(bearer(token))]).toEqual([401, 200])
        expect(stderr()).not.toContain(token)
        expect(stderr()).not.toContain('Every program')
      })
  })

  test('of serve comes from a file', async ({ folder }) => {
    writeFileSync(join(files(folder), 'token'), token)
    const args = ['serve', 'tools.json', '--no-open', '--port', '0', '--token-file', 'token']
    await serving(args, { directory: folder }, async ({ url }) => {
      expect(new URL(url).searchParams.get('token')).toBe(token)
    })
  })

  test('of serve is kept in the data directory until --new-token', async ({ folder }) => {
    const args = ['serve', 'tools.json', '--no-open', '--port', '0']
    const tokenOf = async (...more: readonly string[]) => {
      let found: string | null = null
      await serving([...args, ...more], { directory: files(folder) }, async ({ url }) => {
        found = new URL(url).searchParams.get('token')
      })
      return found
    }
    const first = await tokenOf()
    expect(first).toMatch(/^[\w-]{43}$/)
    expect(statSync(join(folder, 'data/page-token.key')).mode & 0o077).toBe(0)
    expect(await tokenOf()).toBe(first)
    const renewed = await tokenOf('--new-token')
    expect(renewed).not.toBe(first)
    // A file that others can read is not trusted, and not touched: the token is good for this start alone.
    chmodSync(join(folder, 'data/page-token.key'), 0o644)
    expect([first, renewed]).not.toContain(await tokenOf())
  })

  test('is refused by every command when it is short or its file is missing', async ({ folder }) => {
    writeFileSync(join(files(folder), 'token'), 'short')
    const serve = ['serve', 'tools.json', '--no-open', '--port', '0']
    for (const [args, environment] of [
      ...[serve, mcp, bridge].flatMap(each => [
        [[...each, '--token-file', 'token'], {}] as const,
        [[...each, '--token-file', 'gone'], {}] as const,
        [each, { TOOLSCOPE_TOKEN: '0123456789abcde' }] as const,
      ]),
      [[...mcp, '--token', '0123456789abcde'], {}] as const,
      [[...bridge, '--token', '0123456789abcde'], {}] as const,
    ]) {
      const run = await runToolscope(args, { directory: folder, environment })
      expect([args, run.code, run.stdout]).toEqual([args, 2, ''])
      expect(run.stderr).toMatch(/at least 16 characters|could not be read/)
    }
  }, 60_000)

  test('of serve is in the printed address only if no other machine is served', async ({ folder }) => {
    const environment = { TOOLSCOPE_TOKEN: token }
    const readUrl = async (...more: string[]) => {
      const urls: string[] = []
      const args = ['serve', 'tools.json', '--no-open', '--port', '0', ...more]
      await serving(args, { directory: files(folder), environment }, async ({ url }) => void urls.push(url))
      return urls.join()
    }
    expect(await readUrl()).toContain(`/?token=${token}`)
    expect(await readUrl('--allow-host', 'tools.example.com')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/)
  })

  test('of the user is required when other machines are served', async ({ folder }) => {
    files(folder)
    for (const args of [
      ['serve', 'tools.json', '--no-open', '--port', '0', '--host', '0.0.0.0'],
      ['serve', 'tools.json', '--no-open', '--port', '0', '--allow-host', 'tools.example.com'],
      [...mcp, '--host', '0.0.0.0'],
      [...mcp, '--host', '0.0.0.0', '--without-token'],
      [...bridge, '--host', '0.0.0.0'],
    ]) {
      const run = await runToolscope(args, { directory: folder })
      expect([args, run.code]).toEqual([args, 2])
      expect(run.stderr).toContain('serves more than this machine')
      expect(run.stderr).toContain('--token-file')
    }
  }, 60_000)
})
