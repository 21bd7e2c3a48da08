import { afterEach, expect, test, vi } from 'vitest'
import { detectSource } from '../recognise/detect-source.ts'
import { callAndWait, resolveInRepository, testContext } from '../sources/testkit.ts'
import { Catalog } from './catalog.ts'

const fixture = resolveInRepository('server/sources/fixtures/mcp-skills.mjs')
const opened: Catalog[] = []

afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map(catalog => catalog.close()))
})

test('catalog: a look reads an expired list again, a fresh one only "Refresh"', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const catalog = new Catalog(testContext)
  opened.push(catalog)
  const spec = await detectSource(['mcp:', process.execPath, fixture, '--ttl', '300000'], testContext)
  const { name } = await catalog.sources.open(spec)
  const countAsked = async () => {
    const { tool, session } = catalog.callTarget(`${name}/asked`)
    const { ending } = await callAndWait(session, tool, {})
    const [block] = ending.content
    return (JSON.parse(block?.type === 'text' ? block.text : '{}') as { 'tools/list': number })['tools/list']
  }
  const once = await countAsked()
  catalog.refreshExpired()
  vi.advanceTimersByTime(299_000)
  catalog.refreshExpired()
  expect(await countAsked()).toBe(once)
  await catalog.sources.refresh(name)
  expect(await countAsked()).toBe(once + 1)
  vi.advanceTimersByTime(300_000)
  catalog.refreshExpired()
  await vi.waitFor(async () => expect(await countAsked()).toBe(once + 2), { timeout: 30_000, interval: 100 })
})
