/** `toolscope tap --page`: the page of a tap, with a real client and a real server. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect } from 'vitest'
import { until } from '../../scripts/test-processes.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { readTap, runStreams, tapWords } from './tap.testkit.ts'

const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

/** Returns the environment of a tap whose data and temporary files are in the folder. */
function ownEnvironment(folder: string) {
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const own = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), TMPDIR: temporary, TEMP: temporary }
  return { ...(process.env as Record<string, string>), ...own }
}

/** Returns the files of the program that Node loaded, from the coverage that it wrote. */
function listLoadedFiles(coverage: string): string[] {
  const urls = readdirSync(coverage).map(file =>
    [...readFileSync(join(coverage, file), 'utf8').matchAll(/"url":"([^"]+)"/g)].map(([, url = '']) => url),
  )
  return urls.find(each => each.some(url => url.endsWith('/dist/server/main.js'))) ?? []
}

describe('tap with its page', () => {
  test('shows what the recording has, masked, and refuses everything else', async ({ folder }) => {
    const file = join(folder, 'a.toolrec')
    const env = ownEnvironment(folder)
    const [command = '', ...words] = tapWords(
      file,
      '--page',
      '--redact',
      '/b',
      '--',
      process.execPath,
      everything,
    )
    const transport = new StdioClientTransport({ command, args: words, env, cwd: folder, stderr: 'pipe' })
    let stderr = ''
    transport.stderr?.on('data', chunk => {
      stderr += String(chunk)
    })
    const client = new Client({ name: 'editor', version: '1' })
    await client.connect(transport)
    await client.callTool({ name: 'echo', arguments: { message: `with ${secret}` } })
    await client.callTool({ name: 'get-sum', arguments: { a: 1, b: 41_041 } })
    await until(() => stderr.includes('tap page: '))
    const url = new URL(/tap page: (\S+)/.exec(stderr)?.[1] ?? '')
    expect(url.pathname).toBe('/wire')
    const headers = { authorization: `Bearer ${url.searchParams.get('token')}` }
    const ask = (path: string, init: RequestInit = {}) => fetch(new URL(path, url), { ...init, headers })
    const readJson = async (path: string) => (await ask(path)).json()

    const { sources } = await readJson('/api/sources')
    expect(sources).toMatchObject([{ kind: 'tap', status: 'ready', callable: false, protocol: '2025-11-25' }])
    const path = `/api/sources/${encodeURIComponent(sources[0].name)}`
    const { rows } = await readJson(`${path}/wire`)
    const calls = await readJson(`${path}/wire?method=tools/call`)
    expect(calls.rows.map((row: { tool?: string }) => row.tool)).toEqual([
      'echo',
      'echo',
      'get-sum',
      'get-sum',
    ])
    const texts: string[] = []
    for (const { seq } of rows) texts.push((await readJson(`${path}/wire/${seq}`)).message.text)
    const onPage = texts.join('\n')
    expect(onPage).toContain('Echo: with •••')
    expect(onPage).not.toContain(secret)
    expect(onPage).not.toContain('41041')

    const refused = await Promise.all(
      [
        ['POST', '/api/invocations', { tool: 'a/b', input: '{}' }],
        ['POST', '/api/sources', { input: 'node x.mjs' }],
        ['POST', `${path}/stop`, {}],
        ['POST', `${path}/wire/send`, { text: '{"jsonrpc":"2.0","id":1,"method":"ping"}' }],
        ['DELETE', `${path}/wire`, {}],
      ].map(async ([method, to, body]) => {
        const init = { method: String(method), body: JSON.stringify(body) }
        const { status } = await ask(String(to), init)
        return [to, status]
      }),
    )
    expect(refused.map(([, status]) => status)).toEqual([403, 403, 403, 403, 403])

    await client.close()
    await until(() => /"type":"end"/.test(readFileSync(file, 'utf8')))
    const { messages } = await readTap(file)
    expect(messages.slice(0, texts.length).map(({ text }) => text)).toEqual(texts)
    await until(() => readdirSync(join(folder, 'tmp')).length === 0)
    expect(existsSync(join(folder, 'data'))).toBe(false)
    await expect(ask('/api/sources')).rejects.toThrow()
  })

  test('loads the page only if it is asked for, and stdout has only the bytes of the server', async ({
    folder,
  }) => {
    const server = [process.execPath, '-e', `process.stdout.write('{"a":1}\\n\\u0000half')`]
    const env = ownEnvironment(folder)
    const run = async (name: string, ...flags: readonly string[]) => {
      const coverage = join(folder, name)
      const words = tapWords(join(folder, `${name}.toolrec`), ...flags, '--', ...server)
      const { stdout, code } = await runStreams(words, [], { ...env, NODE_V8_COVERAGE: coverage })
      expect([String(stdout), code]).toEqual(['{"a":1}\n\u0000half', 0])
      return listLoadedFiles(coverage).filter(url => url.startsWith('file:'))
    }
    const [without, withPage] = await Promise.all([run('plain'), run('page', '--page')])
    const isOfPage = (url: string) => /\/(?:tap-page|serve|app|catalog|source-wire)-[^/]*\.js$/.test(url)
    expect(withPage.some(isOfPage)).toBe(true)
    expect(without.length).toBeGreaterThan(1)
    expect(without.filter(url => isOfPage(url) || url.includes('modelcontextprotocol'))).toEqual([])
    expect(withPage.length).toBeGreaterThan(without.length)
    expect(readdirSync(join(folder, 'tmp'))).toEqual([])
  })
})
