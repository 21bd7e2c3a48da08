import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { incurWords } from '../../core/manifest/incur.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import { incurItself, incurProgram, isIncurInstalled } from '../../scripts/incur-fixture.mjs'
import { programOfNames } from './call-incur.ts'
import { llmsProgram } from './llms-program.ts'
import { readIncurOutput } from './read-incur-output.ts'
import type { Session } from './source.ts'

const signal = new AbortController().signal

const openProgram = (...words: string[]) =>
  llmsProgram.open(
    { command: [process.execPath, ...words] },
    { name: 'desk' },
    { directory: process.cwd(), environment: process.env },
  )

/** Each manifest starts the program once more. */
const listed = new Map<Session, ReturnType<Session['manifest']>>()

async function call(session: Session, name: string, input: unknown, limit: AbortSignal = signal) {
  if (!listed.has(session)) listed.set(session, session.manifest(signal))
  const tools = (await listed.get(session))?.tools ?? []
  const tool = tools.find(each => each.name === name)
  if (tool === undefined || session.call === undefined) throw new Error(`no ${name}`)
  const events: SessionEvent[] = []
  const text = JSON.stringify(input)
  for await (const event of session.call(tool, { text, value: input }, { signal: limit, timeoutMs: 15_000 }))
    events.push(event)
  return { events, ending: events.at(-1) }
}

describe.skipIf(!isIncurInstalled())('incur program', async () => {
  const desk = await openProgram(incurProgram)
  afterAll(() => desk.close())

  test('is recognised behind the markdown of --llms', async () => {
    const { format, tools, problems } = await desk.manifest(signal)
    expect({ format, problems }).toEqual({ format: 'incur', problems: [] })
    expect(tools.map(tool => tool.name)).toEqual([
      'api greet',
      'count',
      'join',
      'nothing',
      'refuse',
      'text',
      'throw',
    ])
  })

  test('gives its examples to the input schema', async () => {
    const { tools } = await desk.manifest(signal)
    expect(tools[0]?.inputSchema).toMatchObject({ examples: [{ name: 'Ada', loud: true, dryRun: false }] })
  })

  test('gets arguments in order and options as flags, even those with the names of its own flags', async () => {
    const input = {
      name: 'Ada',
      times: 2,
      loud: true,
      dryRun: false,
      tag: ['--mcp', 'b'],
      size: 1.5,
      version: '--help',
    }
    const { ending } = await call(desk, 'api greet', input)
    const { name, times, ...options } = input
    expect(ending).toMatchObject({
      type: 'result',
      structuredContent: { text: 'HELLO ADA', given: { args: { name, times }, options } },
    })
  })

  test('gets a list of arguments', async () => {
    const { ending } = await call(desk, 'join', { words: ['a b', 'c; touch x'] })
    expect(ending).toMatchObject({ type: 'result', structuredContent: { joined: 'a b c; touch x' } })
  })

  test('streams chunks while it runs, and keeps those before an error', async () => {
    const { events, ending } = await call(desk, 'count', { to: 3 })
    expect(events.filter(event => event.type === 'stdout').length).toBeGreaterThan(1)
    expect(ending).toMatchObject({ type: 'result', structuredContent: [{ at: 1 }, { at: 2 }, { at: 3 }] })
    expect((await call(desk, 'count', { to: 2, fail: true })).ending).toMatchObject({
      type: 'failure',
      reason: 'exit',
      message: 'TIRED: Enough.',
      hint: 'The program says that trying again may help.',
      structuredContent: [{ at: 1 }, { at: 2 }],
    })
  })

  test('refuses a value with its location', async () => {
    expect((await call(desk, 'api greet', {})).ending).toMatchObject({
      type: 'failure',
      reason: 'exit',
      message: 'VALIDATION_ERROR: Invalid input: expected string, received undefined',
      issues: [{ path: '/name', keyword: 'required' }],
    })
    expect((await call(desk, 'api greet', { name: 'A', size: 'x' })).ending).toMatchObject({
      issues: [{ path: '/size', keyword: 'invalid_type', expected: 'number' }],
    })
  })

  test('returns its own error messages, a text and an empty result', async () => {
    expect((await call(desk, 'refuse', {})).ending).toMatchObject({
      message: 'BUSY: The desk is busy.',
      exitCode: 1,
    })
    expect((await call(desk, 'throw', {})).ending).toMatchObject({ message: 'the drawer is stuck' })
    expect((await call(desk, 'text', {})).ending).toMatchObject({ structuredContent: 'plain words' })
    expect((await call(desk, 'nothing', {})).ending).toEqual({ type: 'result', content: [], exitCode: 0 })
  })

  test('is ended by a cancel', async () => {
    const abort = new AbortController()
    const { ending } = await call(desk, 'count', { to: 1 }, abort.signal)
    expect(ending?.type).toBe('result')
    setTimeout(() => abort.abort(), 800)
    expect((await call(desk, 'count', { to: 10_000 }, abort.signal)).ending).toMatchObject({
      type: 'failure',
      reason: 'cancelled',
    })
  })

  test('that is named with a sub-program is called from its root, because names are absolute', async () => {
    const api = await openProgram(incurProgram, 'api')
    const { ending } = await call(api, 'api greet', { name: 'Ada' })
    expect(ending).toMatchObject({ structuredContent: { text: 'Hello Ada' } })
  })
})

test.skipIf(!isIncurInstalled())('incur program: incur itself is read too', async () => {
  const session = await openProgram(incurItself)
  const { format, tools } = await session.manifest(signal)
  expect(format).toBe('incur')
  expect(tools.map(tool => tool.name)).toContain('build')
})

test('incur program: a program of neither kind fails with its output and the flags that were tried', async () => {
  const html = fileURLToPath(new URL('./fixtures/prints-html.mjs', import.meta.url))
  const session = await openProgram(html)
  await expect(session.manifest(signal)).rejects.toMatchObject({
    code: 'manifest-not-json',
    detail: expect.stringMatching(/Bad Gateway.*--llms-full --format json/s),
  })
})

describe('incurWords', () => {
  const greet = {
    positionals: ['name', 'times'],
    options: [{ property: 'size', flag: '--size' }],
  }
  test.each([
    ['{"name":"--mcp"}', /"name" begins with a dash/],
    ['{"times":1}', /"name" is needed too/],
    ['{"name":null}', /null/],
    ['{"size":[]}', /empty list/],
    ['{"__proto__":1}', /"__proto__" is neither/],
    ['{"other":1}', /"other" is neither/],
    ['[1]', /must be an object/],
    ['{"name":"a\\u0000b"}', /NUL/],
  ])('refuses %s', (text, reason) => {
    expect(incurWords(text, greet)).toEqual({ refusal: expect.stringMatching(reason) })
  })

  test('keeps numbers as written', () => {
    expect(incurWords('{"name":"a","size":12345678901234567890.10}', greet)).toEqual({
      words: ['a', '--size=12345678901234567890.10'],
    })
  })

  test('never makes a value an option of its own', () => {
    fc.assert(
      fc.property(fc.record({ name: fc.anything(), times: fc.anything(), size: fc.anything() }), input => {
        const text = JSON.stringify(input)
        const said = incurWords(text, greet)
        if ('words' in said)
          for (const word of said.words) if (word.startsWith('-')) expect(word).toMatch(/^--size=/)
      }),
    )
  })
})

test('readIncurOutput: reads any output without throwing, and keeps JSON', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), fc.boolean(), (text, failed) => {
      const { value, error, chunks } = readIncurOutput(text, failed)
      let parsed: unknown
      try {
        parsed = JSON.parse(text)
      } catch {
        return
      }
      if (error === undefined && chunks === undefined) expect(value).toEqual(parsed)
    }),
  )
})

test('programOfNames: removes the last words of argv when all names begin with them', () => {
  const tools = [{ name: 'api greet', inputSchema: true }]
  expect(programOfNames(['node', 'p', 'api'], tools)).toEqual(['node', 'p'])
  expect(programOfNames(['node', 'p', 'api', 'greet'], tools)).toEqual(['node', 'p'])
  expect(programOfNames(['node', 'p'], tools)).toEqual(['node', 'p'])
  expect(programOfNames(['node', 'p', 'api'], [...tools, { name: 'other', inputSchema: true }])).toHaveLength(
    3,
  )
})
