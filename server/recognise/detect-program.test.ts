import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'
import { address } from './address.ts'
import { openInTurn } from './ask-in-turn.ts'
import { detectSource } from './detect-source.ts'

const everything = 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'

describe('command as a source', () => {
  it.each(['npx -y @modelcontextprotocol/server-everything', `node ${everything}`])(
    'opens as an MCP server: %s',
    async command => {
      const session = await openSource(command)
      const echo = await toolNamed(session, 'echo')
      expect(session.kind).toBe('mcp-server')
      const { ending } = await callAndWait(session, echo, { message: 'hello' })
      expect(JSON.stringify(ending)).toContain('Echo: hello')
      await session.close()
    },
  )

  it('is asked the other way when its words mislead, and at once the right way when it opens again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolscope-program-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    // Its name says nothing of a server, and the other's says so and is wrong.
    symlinkSync(resolveInRepository(everything), join(folder, 'words.js'))
    symlinkSync(resolveInRepository('server/sources/fixtures/second-help.mjs'), join(folder, 'mcp-words.mjs'))
    for (const [file, kind] of [
      ['words.js', 'mcp-server'],
      ['mcp-words.mjs', 'llms-program'],
    ] as const) {
      const spec = await detectSource([process.execPath, join(folder, file)], testContext)
      const session = await spec.open(testContext)
      expect((await session.manifest(neverAborted())).tools.length).toBeGreaterThan(0)
      expect(session.kind).toBe(kind)
      await session.close()
      const again = await spec.open(testContext)
      expect(again.kind).toBe(kind)
      await again.close()
    }
  })

  it.each([
    // Node itself refuses --llms behind -e.
    ['process.exit(3)', 'exited (code 3) during the MCP handshake', 'with --llms'],
    ['#', '--llms ended with exit code 1', 'as an MCP server'],
  ])(
    'fails with the reason of the way that got further, and the other way in one line: %s',
    async (code, detail, other) => {
      const folder = mkdtempSync(join(tmpdir(), 'toolscope-program-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      writeFileSync(join(folder, 'fails.mjs'), code)
      const words = code === '#' ? [join(folder, 'fails.mjs')] : ['-e', code]
      const session = await openSource([process.execPath, ...words])
      const error = toAppError(await session.manifest(neverAborted()).catch(thrown => thrown)).toShape()
      expect(error.detail).toContain(detail)
      expect(error.hint.split('\n')[0]).toMatch(new RegExp(`^Also tried ${other}: [^\n]+\\.$`))
      expect(error.hint).not.toContain('below')
    },
  )

  it('names the mistake of a package that npm does not know', async () => {
    const code = "console.error('npm error code E404'); process.exit(1)"
    const session = await openSource([process.execPath, '-e', code])
    const error = toAppError(await session.manifest(neverAborted()).catch(thrown => thrown)).toShape()
    expect(error.hint).toContain('npm knows no package of this name. Check its spelling.')
  })
})

describe('address as a source', () => {
  it('opens as a manifest, or fails with the answer to each attempt', async () => {
    const tools = JSON.stringify({ tools: [{ name: 'look', inputSchema: { type: 'object' } }] })
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/tools.json' && request.method === 'GET' ? 200 : 404
      response.end(response.statusCode === 200 ? tools : 'nothing here')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const session = await openSource(`http://127.0.0.1:${port}/tools.json`)
    expect((await session.manifest(neverAborted())).tools.map(tool => tool.name)).toEqual(['look'])
    expect(session).toMatchObject({ kind: 'manifest-file', call: undefined })
    await session.close()
    const other = await openSource(`http://127.0.0.1:${port}/`)
    const { detail, hint } = toAppError(
      await other.manifest(neverAborted()).catch(thrown => thrown),
    ).toShape()
    expect(detail).toContain('nothing here')
    expect(hint).toMatch(/as a bridge .*and as a manifest.*answered HTTP 404/)
    await other.close()
  })

  it('opens as a bridge that answers late, because it is still starting', async () => {
    let asked = 0
    const server = createServer((request, response) => {
      const isList = request.url?.startsWith('/tools') === true
      if (isList) asked += 1
      response.statusCode = isList ? 200 : 404
      if (!isList || asked > 1) response.end(isList ? '[]' : 'nothing here')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => server.closeAllConnections())
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const session = await openSource(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await session.manifest(neverAborted())
    expect(session.kind).toBe('bridge-url')
    await session.close()
  })

  it('is read within its limit, also again', async () => {
    let isSlow = false
    const server = createServer((request, response) => {
      const isManifest = request.url === '/tools.json' && request.headers.accept === 'application/json'
      if (!isManifest) return response.writeHead(404).end()
      if (isSlow) return response.write('{"tools":')
      isSlow = true
      return response.end('{"tools":[]}')
    }).listen(0, '127.0.0.1')
    onTestFinished(() => server.closeAllConnections())
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tools.json`
    const session = await address.open({ url }, { name: 'slow', listTimeoutMs: 2_000 }, testContext)
    onTestFinished(() => session.close())
    expect((await session.manifest(neverAborted())).tools).toEqual([])
    const late = await session.manifest(neverAborted()).catch(thrown => toAppError(thrown).toShape())
    expect(late).toMatchObject({ code: 'source-timeout', detail: `${url} did not answer within 2 s` })
  })

  it.each([
    ['localhost:3000', 'http://localhost:3000'],
    ['127.0.0.1:8808/mcp', 'http://127.0.0.1:8808/mcp'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['example.com/mcp', 'https://example.com/mcp'],
    ['mcp.example.com:8443', 'https://mcp.example.com:8443'],
  ])('without a scheme gets one: %s', async (typed, url) => {
    const spec = await detectSource(typed, testContext)
    expect(spec).toMatchObject({ kind: 'address', settings: { name: new URL(url).host } })
    expect(spec.definition).toContain(url)
  })

  it.each(['package.json', 'docs/forms.md', 'server/main.ts'])(
    'is not assumed for the file %s',
    async path => {
      const kind = await detectSource(path, testContext).then(
        ({ kind }) => kind,
        () => 'none',
      )
      expect(kind).not.toBe('address')
    },
  )

  it.each(['http://[', 'mcp:http://', 'bridge:http://['])(
    'causes no TypeError when it cannot be parsed: %s',
    async word => {
      const settled = await detectSource(word, testContext).catch(thrown => thrown)
      expect(settled).not.toBeInstanceOf(TypeError)
    },
  )

  it.each(['missing.json', 'no-such-program', 'v1.2/x', 'build.old/tools.json'])(
    'is not assumed for %s',
    async word => {
      await expect(detectSource(word, testContext)).rejects.toMatchObject({ code: 'source-not-found' })
    },
  )

  it('is proposed with npx for the name of a package of npm', async () => {
    for (const word of ['@acme/notes-mcp', '@acme/notes-mcp@1.2.0'])
      await expect(detectSource(word, testContext)).rejects.toMatchObject({
        code: 'source-not-found',
        ownHint: `If it is an npm package: toolscope "npx -y ${word}".`,
      })
  })
})

describe('openInTurn', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-ways-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const program = join(folder, 'ends.mjs')
  writeFileSync(program, "console.error('no licence'); process.exit(3)")
  const first = { requestedAs: 'first', open: () => openSource(`llms:node ${program}`) }
  const exited = { code: 'source-failed', detail: expect.stringContaining('exit code 3') }

  it('names the failure of the first way if the second cannot be opened', async () => {
    const second = () => openSource('no-such-program')
    const session = await openInTurn([first, { requestedAs: 'second', open: second }])
    onTestFinished(() => session.close())
    const hint = expect.stringContaining('Also tried second: ')
    for (const _ of ['first', 'again'])
      await expect(session.manifest(neverAborted())).rejects.toMatchObject({ ...exited, ownHint: hint })
  })

  it('opens no other way after it was aborted, and closes one that was being opened', async () => {
    const early = new AbortController()
    const closing = await first.open()
    const close = closing.close.bind(closing)
    closing.close = () => {
      early.abort()
      return close()
    }
    const never = { requestedAs: 'second', open: () => expect.unreachable('it was aborted') }
    const session = await openInTurn([{ ...first, open: async () => closing }, never])
    await expect(session.manifest(early.signal)).rejects.toMatchObject(exited)

    const late = new AbortController()
    const opened = await openSource(`mcp:node ${everything}`)
    const closed = vi.spyOn(opened, 'close')
    onTestFinished(() => opened.close())
    const open = async () => {
      late.abort()
      return opened
    }
    const other = await openInTurn([first, { requestedAs: 'second', open }])
    await expect(other.manifest(late.signal)).rejects.toThrow()
    expect(closed).toHaveBeenCalled()
  })
})
