import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { program } from '../../scripts/toolscope-program.ts'
import { runCommandLine } from '../commands/testkit.ts'
import { ask, type ClientEra, callOf, Recorder, stdioTransport, withClient } from '../replay/testkit.ts'

vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'toolscope-mock-'))
afterAll(() => rmSync(folder, { recursive: true }))

const object = (properties: object, more = {}) => ({ type: 'object', properties, ...more })
const manifest = join(folder, 'tools.json')
writeFileSync(
  manifest,
  JSON.stringify({
    tools: [
      {
        name: 'weather',
        inputSchema: object({ city: { type: 'string' } }, { required: ['city'] }),
        outputSchema: object(
          { celsius: { type: 'number', minimum: -5, maximum: 40 }, sky: { enum: ['clear', 'rain'] } },
          { required: ['celsius', 'sky'] },
        ),
      },
      { name: 'note', inputSchema: object({}) },
      { name: 'never', inputSchema: object({}), outputSchema: object({ a: false }, { required: ['a'] }) },
    ],
  }),
)

async function mock(words: readonly string[], era: ClientEra, calls: readonly (readonly [string, object])[]) {
  const transport = stdioTransport([process.execPath, program, 'mock', manifest, ...words], {
    TOOLSCOPE_DATA_DIR: folder,
  })
  const { answers } = await withClient(transport, era, async (client, seen) => {
    for (const call of calls) await ask(client, seen, ...callOf(...call))
  })
  return answers as { structuredContent?: unknown; isError?: boolean; content?: unknown }[]
}

describe('mock', () => {
  const oslo = ['weather', { city: 'Oslo' }] as const

  test.for(['legacy', 'auto'] as const)('answers with valid values: %s', async era => {
    const [weather, again, note, refused, never] = await mock(['--seed', '7'], era, [
      oslo,
      oslo,
      ['note', {}],
      ['weather', { city: 5 }],
      ['never', {}],
    ])
    expect(weather?.structuredContent).toEqual({
      celsius: expect.any(Number),
      sky: expect.stringMatching(/^(?:clear|rain)$/),
    })
    expect(again).toEqual(weather)
    expect(note?.content).toEqual([{ type: 'text', text: 'note was called with {}' }])
    expect(refused).toMatchObject({ code: -32602, message: expect.stringContaining('city') })
    expect(never).toMatchObject({ isError: true })
  })

  test('lets calls fail, and answers from a recording first', async () => {
    const file = join(folder, 'session.toolrec')
    const recorder = new Recorder(file, 'stdio')
    const add = (direction: 'sent' | 'received', message: object) =>
      recorder.add({
        direction,
        part: 'message',
        text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      })
    const recorded = { content: [], structuredContent: { celsius: 39.5, sky: 'rain' } }
    add('sent', { method: 'tools/call', params: { name: 'weather', arguments: { city: 'Oslo' } } })
    add('received', { result: recorded })
    recorder.close()
    const [weather, other] = await mock(['--recording', file, '--latency', '1..5ms'], 'legacy', [
      oslo,
      ['weather', { city: 'Bergen' }],
    ])
    expect(weather).toMatchObject(recorded)
    expect(other?.structuredContent).not.toEqual(recorded.structuredContent)
    const [failed] = await mock(['--fail', '100%'], 'legacy', [oslo])
    expect(failed).toMatchObject({ isError: true })
  })

  test.for([
    [['--fail', '200%'], '--fail 200%'],
    [['--latency', 'soon'], '--latency soon'],
  ] as const)('explains a wrong option: %s', async ([words, message]) => {
    const { code, stderr } = await runCommandLine(['mock', manifest, ...words])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) })
  })
})
