/** What a source tells its MCP server: the era, the folders (roots), apps, and whether it may ask for sampling. */
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import type { SourceSettings } from '../sources/source.ts'
import { callAndWait, neverAborted, resolveInRepository, testContext, toolNamed } from '../sources/testkit.ts'
import { mcpServer } from './mcp-server.ts'

const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const bothEras = resolveInRepository('server/sources/fixtures/mcp-quirks-new.mjs')

async function open(file: string, settings: Omit<SourceSettings, 'name'>) {
  const config = { command: [process.execPath, file] }
  const session = await mcpServer.open(config, { name: 'server', ...settings }, testContext)
  onTestFinished(() => session.close())
  return session
}

it('roots: the server receives the folders that the source names, and otherwise none', async () => {
  const told = await open(everything, { roots: ['core', '~/notes'] })
  const { ending } = await callAndWait(told, await toolNamed(told, 'get-roots-list'), {})
  const text = JSON.stringify(ending.content)
  expect(text).toContain(pathToFileURL(resolveInRepository('core')).href)
  expect(text).toContain('/notes')
  const untold = await open(everything, {})
  const none = await callAndWait(untold, await toolNamed(untold, 'get-roots-list'), {})
  expect(JSON.stringify(none.ending.content)).not.toContain('file://')
})

it('sampling: a source without it does not declare it, so the server does not list the tool', async () => {
  const names = async (settings: Omit<SourceSettings, 'name'>) =>
    (await (await open(everything, settings)).manifest(neverAborted())).tools.map(({ name }) => name)
  const tool = 'trigger-sampling-request'
  // The server adds the tool after the handshake, and says that its list has changed.
  await expect.poll(() => names({}), { timeout: 20_000 }).toContain(tool)
  expect(await names({ sampling: false })).not.toContain(tool)
})

it('era: the source is opened in the era that is fixed, and fails if its server does not speak it', async () => {
  const protocolOf = async (settings: Omit<SourceSettings, 'name'>) => {
    const session = await open(bothEras, settings)
    await session.manifest(neverAborted())
    return session.about?.().protocol
  }
  expect(await protocolOf({})).toBe('2026-07-28')
  expect(await protocolOf({ era: 'legacy' })).toBe('2025-11-25')
  const session = await open(everything, { era: 'modern' })
  await expect(session.manifest(neverAborted())).rejects.toMatchObject({
    detail: expect.stringContaining('does not speak the modern era'),
    code: 'source-failed',
  })
})

it('apps: both eras declare that apps are run', async () => {
  const apps = resolveInRepository('server/sources/fixtures/mcp-apps.mjs')
  for (const era of ['legacy', 'modern'] as const) {
    const session = await open(apps, { era })
    const { ending } = await callAndWait(session, await toolNamed(session, 'capabilities'), {})
    const [block] = ending.content
    expect(JSON.parse(block?.type === 'text' ? block.text : '')).toMatchObject({
      'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] },
    })
  }
})
