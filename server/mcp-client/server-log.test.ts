import { afterEach, describe, expect, test } from 'vitest'
import type { LogLine } from '../../core/tool/log-line.ts'
import { until } from '../../scripts/test-processes.ts'
import { Catalog } from '../catalog/catalog.ts'
import { detectSource } from '../recognise/detect-source.ts'
import { readLogLines } from '../sources/masked.ts'
import { callAndWait, resolveInRepository, testContext } from '../sources/testkit.ts'
import { ServerLog } from './server-log.ts'

const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const passes = resolveInRepository('server/sources/fixtures/mcp-passes.mjs')
const opened: Catalog[] = []

afterEach(() => Promise.all(opened.splice(0).map(catalog => catalog.close())))

async function open(...words: readonly string[]) {
  const catalog = new Catalog(testContext)
  opened.push(catalog)
  const spec = await detectSource(['mcp:', process.execPath, ...words], testContext)
  const { name } = await catalog.sources.open(spec)
  const messages = () =>
    catalog.sources
      .get(name)
      .logLines()
      .filter(({ origin }) => origin === 'message')
  const call = (tool: string) => {
    const { session, tool: found } = catalog.callTarget(`${name}/${tool}`)
    return callAndWait(session, found, {})
  }
  return { catalog, name, messages, call }
}

test('server log: has stderr and messages of server-everything with times, and a level is set', async () => {
  const { catalog, name, messages, call } = await open(everything, 'stdio')
  const lines = () => catalog.sources.get(name).logLines()
  await until(() => lines().some(({ text }) => text.includes('Starting default (STDIO) server')))
  expect(lines()[0]).toMatchObject({
    number: 1,
    origin: 'output',
    time: expect.stringMatching(/^\d{4}-.*Z$/),
  })
  await catalog.sources.setCallSettings(name, { logLevel: 'emergency' })
  await call('toggle-simulated-logging')
  // The tool sends a message at once; only one of the highest level passes the server's filter.
  expect(messages().every(({ level }) => level === 'emergency')).toBe(true)
  expect(catalog.sources.list()[0]?.callSettings).toEqual({ logLevel: 'emergency' })
})

describe.each([
  ['2026-07-28', [passes]],
  ['2025-11-25', [passes, '--legacy']],
])('server log: of %s', (protocol, words) => {
  test('server log: a change of the level holds for the next call, without a new connection', async () => {
    const { catalog, name, messages, call } = await open(...words)
    expect(catalog.sources.list()[0]?.protocol).toBe(protocol)
    const { session } = catalog.sources.get(name)
    const logged = async (level?: 'debug' | 'error') => {
      await catalog.sources.setCallSettings(name, level === undefined ? {} : { logLevel: level })
      const before = messages().length
      await call('log')
      return messages()
        .slice(before)
        .map(line => [line.level, line.logger, line.text])
    }
    const error = ['error', 'disk', '{"code":7}']
    expect(await logged('error')).toEqual([error])
    expect(await logged('debug')).toEqual([['debug', undefined, 'a detail'], error])
    expect(catalog.sources.get(name).session).toBe(session)
    // A modern server sends no messages without a level; a legacy one keeps the last.
    expect(await logged()).toHaveLength(protocol === '2026-07-28' ? 0 : 2)
  })
})

test('server log: keeps 1,000 lines and 256 KiB, and cuts a long line', () => {
  const log = new ServerLog()
  for (let count = 0; count < 1_500; count++) log.line(`line ${count}`, 'output')
  expect(log.lines()).toHaveLength(1_000)
  expect(log.lines()[0]).toMatchObject({ number: 501, text: 'line 500' })
  for (let count = 0; count < 100; count++) log.message({ level: 'info', data: 'é'.repeat(100_000) })
  const lines = log.lines()
  const bytes = lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  expect(bytes).toBeLessThanOrEqual(256 * 1024)
  expect(lines.every(({ text }) => text.length <= 8_000)).toBe(true)
})

test('server log: joins the parts of a line, shows an unfinished one, and drops nothing of a hostile message', () => {
  const log = new ServerLog()
  const text = Buffer.from('one é\r\ntwo')
  for (const byte of text) log.add(Buffer.from([byte]))
  expect(log.lines().map(line => line.text)).toEqual(['one é', 'two'])
  log.add(Buffer.from(' three\n\n'))
  log.message({ level: 'loud', logger: { toString: 1 }, data: undefined })
  log.message({ level: 'loud', logger: 'x', data: { a: 1 } })
  expect(log.lines().map(line => [line.number, line.origin, line.level, line.logger, line.text])).toEqual([
    [1, 'output', undefined, undefined, 'one é'],
    [2, 'output', undefined, undefined, 'two three'],
    [3, 'message', undefined, 'x', '{"a":1}'],
  ])
})

test('server log: secrets are masked, also those of several lines', () => {
  const masked = (texts: readonly string[], secret: string) => {
    const lines = texts.map(
      (text, at): LogLine => ({ number: at + 1, time: '', origin: 'output', text, logger: secret }),
    )
    const session = { label: '', logLines: () => lines, secrets: [secret], manifest: never, close: never }
    return readLogLines(session, {})
  }
  const never = () => Promise.reject(new Error('not asked'))
  const one = masked(['a hunter2-hunter2 b', 'c'], 'hunter2-hunter2')
  expect(one.map(({ number, text }) => [number, text.includes('hunter2')])).toEqual([
    [1, false],
    [2, false],
  ])
  expect(one[1]?.text).toBe('c')
  expect(JSON.stringify(masked(['a first-half', 'second-half b'], 'first-half\nsecond-half'))).not.toContain(
    'second-half',
  )
})
