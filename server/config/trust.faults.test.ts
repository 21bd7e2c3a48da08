/** A planted toolscope.json: no command starts what it names before the user has agreed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { program, type Run, runToolscope, startToolscope } from '../../scripts/toolscope-program.ts'
import { loadCommands } from '../commands/index.ts'
import { callRetention, snapshotRetention } from '../store/retention.ts'
import { test as folderTest } from '../testing/folder-test.ts'
import { loadConfig } from './config.ts'
import { Trust } from './trust.ts'
import { whatStarts } from './what-starts.ts'

/** A program that leaves a mark whenever it is started, and lists one tool. */
const planted = (mark: string) => `
require('node:fs').appendFileSync(${JSON.stringify(mark)}, 'x')
console.log(JSON.stringify({ tools: [{ name: 'one', inputSchema: { type: 'object' } }] }))`

interface Trap {
  readonly folder: string
  /** A folder below the planted file. */
  readonly below: string
  readonly config: string
  readonly environment: NodeJS.ProcessEnv
  /** Whether the planted program ran; forgets it. */
  ran(): boolean
  write(sources: Record<string, unknown>): void
  /** Runs the program below the planted file, without a terminal. */
  run(...args: string[]): Promise<Run>
}

const test = folderTest.extend<{ trap: Trap }>({
  trap: async ({ folder: given }, use) => {
    const folder = realpathSync(given)
    const mark = join(folder, 'mark')
    const config = join(folder, 'project', 'toolscope.json')
    const below = join(folder, 'project', 'a', 'b')
    mkdirSync(below, { recursive: true })
    writeFileSync(join(folder, 'project', 'evil.cjs'), planted(mark))
    writeFileSync(join(below, 'tools.json'), '{"tools": []}')
    const write = (sources: Record<string, unknown>) => writeFileSync(config, JSON.stringify({ sources }))
    write({ evil: { command: ['node', 'evil.cjs'] } })
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
    await use({
      folder,
      below,
      config,
      environment,
      write,
      run: (...args) => runToolscope(args, { directory: below, environment }),
      ran: () => {
        const was = existsSync(mark)
        rmSync(mark, { force: true })
        return was
      },
    })
  },
})

const refusing = [
  ['list'],
  ['list', 'evil'],
  ['call', 'one', '--input', '{}'],
  ['help', '--list'],
  ['discover', '--categories'],
  ['check'],
  ['export', '-o', 'site'],
  ['snapshot', '--lock', 'lock.json'],
  ['diff', 'evil', 'tools.json'],
  ['diff', '--lock'],
  ['changelog', 'evil', 'tools.json'],
  ['compare', 'evil', 'tools.json'],
  ['connect', 'codex', 'evil'],
  ['prompt'],
  ['lint'],
  ['script', '-'],
  ['mcp'],
  ['mock', 'evil'],
  ['pin', '--check'],
]

const lock = JSON.stringify({ lockVersion: 1, sources: { evil: { format: 'x', tools: [] } } })

describe('untrusted toolscope.json', () => {
  test('makes every command that opens sources refuse, start nothing and name the ways to trust it', async ({
    trap,
  }) => {
    writeFileSync(join(trap.below, 'toolscope.lock.json'), lock)
    for (const args of refusing) {
      const run = await trap.run(...args)
      expect([args, run.code, trap.ran()]).toEqual([args, 2, false])
      expect(run.stderr).toContain('evil: node evil.cjs')
      expect(run.stderr).toMatch(/toolscope trust.*--trust.*--config/s)
    }
  }, 120_000)

  test('is tested with every command that takes --trust', async () => {
    const taking = (await loadCommands()).filter(({ input }) => 'trust' in input.shape)
    const tried = new Set(['serve', 'record', 'bridge', ...refusing.map(([name]) => name)])
    expect(taking.map(({ name }) => name).filter(name => !tried.has(name))).toEqual([])
    expect(taking).toHaveLength(tried.size)
  })

  test('is described in full, even with a long line', () => {
    expect(whatStarts({ command: ['node', 'x'.repeat(2_000), 'evil.cjs'] })).toContain('evil.cjs')
  })

  test('is ignored and reported when another user owns it, unless it is named', ({ trap }) => {
    const other = (process.getuid?.() ?? 0) + 1
    expect(loadConfig(trap.below, undefined, other)).toMatchObject({ path: null, foreign: [trap.config] })
    expect(loadConfig(trap.below, trap.config, other).entries).toHaveLength(1)
  })

  test('needs trust for an llm-functions directory and for an address that gets variables', async ({
    trap,
  }) => {
    trap.write({ tree: { functions: 'tree' } })
    expect((await trap.run('check')).stderr).toContain('tree: the tools in tree')
    trap.write({ far: { mcp: { url: 'http://127.0.0.1:9/', headers: { 'X-Key': `\${env:HOME}` } } } })
    expect((await trap.run('list')).stderr).toContain('far: http://127.0.0.1:9/, which gets variables')
  })

  test('needs no trust when it names only files', async ({ trap }) => {
    trap.write({ files: { manifest: 'a/b/tools.json' } })
    expect(await trap.run('list')).toMatchObject({ code: 0, stderr: '' })
  })

  test('cannot control the terminal with its text', async ({ trap }) => {
    const command = ['node', 'evil.cjs', '\u001b]0;x\u0007\nb: fine']
    trap.write({ a: { command } })
    const { stderr } = await trap.run('list')
    expect(stderr).toContain('b: fine')
    expect(stderr).not.toMatch(/^\W*b: fine/m)
    trap.write({ 'a\u001b[2J': { command } })
    const refused = await trap.run('list')
    expect(refused.stderr).toContain('holds no control character')
    for (const control of ['\u001b', '\u0007']) expect(stderr + refused.stderr).not.toContain(control)
  })

  test('does not shorten the history and the versions of every folder until it is trusted', ({ trap }) => {
    writeFileSync(trap.config, '{"history": {"calls": 1}, "versions": {"keep": 1}}')
    const { environment } = trap
    const trust = new Trust(trap.config, { environment, say: () => {} }, false)
    const config = loadConfig(trap.below)
    expect(trust.apply(config)).toMatchObject({ callRetention, snapshotRetention })
    trust.agree()
    expect(trust.apply(config)).toMatchObject({
      callRetention: { maxCount: 1 },
      snapshotRetention: { maxCount: 1 },
    })
  })

  test('needs trust as ./mcp.json of `toolscope bridge` unless it is named', async ({ trap }) => {
    const servers = { mcpServers: { evil: { command: 'node', args: ['../../evil.cjs'] } } }
    writeFileSync(join(trap.below, 'mcp.json'), JSON.stringify(servers))
    const run = await trap.run('bridge', '--port', '0')
    expect([run.code, trap.ran()]).toEqual([2, false])
    expect(run.stderr).toContain('toolscope bridge mcp.json')
  })
})

describe('toolscope trust', () => {
  test('lasts until --remove, while --trust and --config last for one run', async ({ trap }) => {
    for (const args of [['--trust'], ['--config', trap.config]]) {
      expect(await trap.run('list', ...args)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('evil/one'),
      })
      expect([(await trap.run('list')).code, trap.ran()]).toEqual([2, true])
    }
    const agreed = await trap.run('trust')
    expect([agreed.code, trap.ran()]).toEqual([0, false])
    expect(agreed.stdout).toContain('evil: node evil.cjs')
    expect((await trap.run('list')).code).toBe(0)
    expect((await trap.run('trust', '--list')).stdout).toContain(trap.config)
    expect((await trap.run('trust', '--remove')).code).toBe(0)
    trap.ran()
    expect([(await trap.run('list')).code, trap.ran()]).toEqual([2, false])
  }, 60_000)

  test('does not cover a list of sources that changed later', async ({ trap }) => {
    await trap.run('trust')
    trap.write({
      evil: { command: ['node', 'evil.cjs'], environment: { NODE_OPTIONS: '--require ./x.cjs' } },
    })
    const run = await trap.run('list')
    expect([run.code, trap.ran()]).toEqual([2, false])
    expect(run.stderr).toContain("evil: 'NODE_OPTIONS=--require ./x.cjs' node evil.cjs")
  })

  const recordOf = (trap: Trap) => {
    const folder = join(trap.folder, 'data', 'trust')
    const names = readdirSync(folder)
    expect(names).toHaveLength(1)
    return join(folder, names[0] ?? '')
  }

  test('writes a record that only the user can read', async ({ trap }) => {
    await trap.run('trust')
    expect(statSync(recordOf(trap)).mode & 0o777).toBe(0o600)
  })

  // Only root can make a file that another user owns.
  test.skipIf(process.getuid?.() !== 0)('ignores a record that another user wrote', async ({ trap }) => {
    await trap.run('trust')
    chownSync(recordOf(trap), 1, 1)
    expect([(await trap.run('list')).code, trap.ran()]).toEqual([2, false])
  })

  test.runIf(process.platform === 'linux')(
    'asks on the terminal even when stdin and stdout are not the terminal',
    async ({ trap }) => {
      /** Types after the question: an answer that was typed before it does not count. */
      const ask = async (answer: string | undefined) => {
        const line = `"${process.execPath}" "${program}" list < /dev/null > "${trap.folder}/out"`
        const env = { ...process.env, ...trap.environment }
        const child = spawn('script', ['-qec', line, '/dev/null'], { cwd: trap.below, env })
        let shown = ''
        let isAsked = false
        child.stdout.setEncoding('utf8').on('data', text => {
          shown += text
          if (isAsked || !shown.includes('[y/N]')) return
          isAsked = true
          child.stdin.end(answer === undefined ? '' : `${answer}\n`)
        })
        const [code] = await once(child, 'close')
        return { code, shown, out: readFileSync(join(trap.folder, 'out'), 'utf8') }
      }
      expect(await ask(undefined)).toMatchObject({ code: 2, out: '' })
      const refused = await ask('n')
      expect([refused.code, refused.out, trap.ran()]).toEqual([2, '', false])
      expect(refused.shown).toContain('evil: node evil.cjs')
      expect(await ask('yes')).toMatchObject({ code: 0, out: expect.stringContaining('evil/one') })
      expect((await trap.run('list')).code).toBe(0)
    },
  )
})

describe('toolscope serve with an untrusted file', () => {
  interface State {
    readonly fingerprint: string
    readonly items: readonly { readonly name: string; readonly trusted: boolean }[]
  }

  test('starts nothing before trust is given, after the file changes, or after trust is removed', async ({
    trap,
  }) => {
    const server = await startToolscope([], trap.below, trap.environment)
    const send = async (method: string, path: string, body?: unknown) => {
      const response = await fetch(`${server.origin}${path}`, {
        method,
        headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: await response.json() }
    }
    const trust = async (): Promise<State> => (await send('GET', '/api/trust')).body
    const states = async () =>
      (await send('GET', '/api/sources')).body.sources.map(
        ({ name, status, trusted }: { name: string; status: string; trusted: boolean }) => [
          name,
          status,
          trusted,
        ],
      )
    try {
      expect(await states()).toEqual([['evil', 'stopped', false]])
      for (const act of ['restart', 'refresh']) await send('POST', `/api/sources/evil/${act}`)
      expect(trap.ran()).toBe(false)
      const asked = await trust()
      expect(asked.items).toMatchObject([{ name: 'evil', trusted: false }])
      expect((await send('PUT', '/api/trust', { fingerprint: 'another' })).status).toBe(409)
      expect((await send('PUT', '/api/trust', asked)).status).toBe(200)
      await expect.poll(states).toEqual([['evil', 'ready', true]])
      expect(trap.ran()).toBe(true)

      trap.write({
        evil: { command: ['node', 'evil.cjs', 'changed'] },
        second: { command: ['node', 'evil.cjs', '2'] },
      })
      await expect.poll(states, { timeout: 15_000 }).toEqual([
        ['evil', 'stopped', false],
        ['second', 'stopped', false],
      ])
      expect((await send('PUT', '/api/trust', asked)).status).toBe(409)
      expect(trap.ran()).toBe(false)
      await send('PUT', '/api/trust', await trust())
      await expect.poll(states).toEqual([
        ['evil', 'ready', true],
        ['second', 'ready', true],
      ])
      await send('DELETE', '/api/trust')
      expect(await states()).toEqual([
        ['evil', 'stopped', false],
        ['second', 'stopped', false],
      ])
    } finally {
      await server.stop()
    }
  }, 60_000)
})
