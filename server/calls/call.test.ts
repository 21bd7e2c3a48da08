import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { CallEvent, SessionEvent, Validation } from '../../core/tool/invocation.ts'
import { awaitEnding } from '../../core/tool/outcome.ts'
import { limitNow } from '../../scripts/test-processes.ts'
import { Catalog } from '../catalog/catalog.ts'
import { testTool } from '../history/testkit.ts'
import { detectSource } from '../recognise/detect-source.ts'
import type { Session } from '../sources/source.ts'
import { resolveInRepository, testContext } from '../sources/testkit.ts'
import { aboutTime } from '../testing/about-time.ts'
import type { Validator } from '../workers/validator.ts'
import { createCaller, sessionEventsOf } from './call.ts'

const valid: Validation = { verdict: 'valid', issues: [] }
const result: SessionEvent = { type: 'result', content: [{ type: 'text', text: 'hello' }] }
const lenient: Validator = {
  validate: async () => valid,
  expect: () => {},
  close: async () => {},
}
const never = () => new AbortController().signal

/** A caller of one tool whose session yields what it is given; `log` has what happened, in order. */
function callerOf(run: NonNullable<Session['call']>, validate: () => Promise<Validation>) {
  const log: string[] = []
  const closing = new AbortController()
  const session = {
    secrets: ['set-up-s3cret'],
    call(...given: Parameters<typeof run>) {
      log.push('started')
      return run(...given)
    },
  } as unknown as Session // Only `call` and `secrets` are used.
  const validator: Validator = {
    async validate(schema) {
      if (schema === undefined) return { verdict: 'no schema', issues: [] }
      log.push('validated')
      return validate()
    },
    expect: () => {},
    close: async () => {},
  }
  const tools = { callTarget: () => ({ tool: testTool, session, closed: closing.signal }) }
  const call = createCaller({ tools, validator, pins: null })
  const start = (signal = never(), options = {}) =>
    call({
      ref: testTool.ref,
      input: { text: '{"name":"Ada"}', value: { name: 'Ada' } },
      origin: 'page',
      options,
      signal,
    })
  return { start, log, closing }
}

async function* eventsOf(...events: SessionEvent[]): AsyncGenerator<SessionEvent> {
  yield* events
}

/** Ends with `cancelled` when it is aborted. */
async function* untilAborted(signal: AbortSignal): AsyncGenerator<SessionEvent> {
  yield { type: 'stderr', text: 'running' }
  if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
  yield { type: 'failure', reason: 'cancelled', content: [], message: 'Cancelled.' }
}

async function all(events: AsyncIterable<CallEvent>): Promise<CallEvent[]> {
  const seen: CallEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}
const typesOf = (events: readonly CallEvent[]) => events.map(event => event.type)

describe('tool call', () => {
  it('leaves no listener on signals that outlive it, even when its caller stops reading', async () => {
    const { start, closing } = callerOf(
      () => eventsOf({ type: 'stderr', text: 'one' }, result),
      async () => valid,
    )
    const { signal } = new AbortController()
    await Promise.all(Array.from({ length: 20 }, () => all(start(signal))))
    for await (const event of start(signal)) if (event.type === 'stderr') break
    expect([signal, closing.signal].map(each => getEventListeners(each, 'abort').length)).toEqual([0, 0])
  })

  it('starts the program before its input is validated, and ends only after the verdict', async () => {
    let finish = (_: Validation) => {}
    const verdict = new Promise<Validation>(resolve => {
      finish = resolve
    })
    const logs: SessionEvent = { type: 'stderr', text: 'one' }
    const { start, log } = callerOf(
      () => eventsOf(logs, logs, result),
      () => verdict,
    )
    const seen: CallEvent[] = []
    for await (const event of start()) {
      seen.push(event)
      // The run has not ended for the caller until the verdict is there.
      if (seen.length === 3) setTimeout(() => finish(valid), 20)
    }
    expect(log.slice(0, 2)).toEqual(['started', 'validated'])
    expect(typesOf(seen)).toEqual(['started', 'stderr', 'stderr', 'input-validation', 'result'])
  })

  it('yields the verdict of its input while the program still runs', async () => {
    const abort = new AbortController()
    const { start } = callerOf(
      (_tool, _input, { signal }) => untilAborted(signal),
      async () => valid,
    )
    const seen: string[] = []
    for await (const event of start(abort.signal)) {
      seen.push(event.type)
      if (seen.includes('input-validation') && seen.includes('stderr')) abort.abort()
    }
    expect(new Set(seen.slice(1, 3))).toEqual(new Set(['input-validation', 'stderr']))
    expect(seen.at(-1)).toBe('failure')
  })

  it('does not wait for a verdict once it is cancelled', async () => {
    const abort = new AbortController()
    const { start } = callerOf(
      (_tool, _input, { signal }) => untilAborted(signal),
      () => new Promise(() => {}),
    )
    const events: CallEvent[] = []
    for await (const event of start(abort.signal)) {
      events.push(event)
      if (event.type === 'stderr') abort.abort()
    }
    expect(typesOf(events)).toEqual(['started', 'stderr', 'input-validation', 'failure'])
    expect(events.at(-2)).toMatchObject({ validation: { verdict: 'unchecked' } })
  })

  it.each(['cancelled', 'timeout', 'too-large'] as const)(
    'does not validate a partial output: the verdict after %s is "unchecked"',
    async reason => {
      const half: SessionEvent = { type: 'failure', reason, content: [], structuredContent: [1], message: '' }
      const session = { secrets: [], call: () => eventsOf(half) } as unknown as Session // Only these are used.
      const tool = { ...testTool, outputSchema: { type: 'array', minItems: 2 } }
      const tools = { callTarget: () => ({ tool, session, closed: never() }) }
      const strict = {
        ...lenient,
        validate: async (): Promise<Validation> => ({ verdict: 'invalid', issues: [] }),
      }
      const input = { text: '{}', value: {} }
      const events = createCaller({ tools, validator: strict, pins: null })({
        ref: tool.ref,
        input,
        origin: 'page',
        signal: never(),
      })
      expect(await awaitEnding(events)).toMatchObject({
        structuredContent: [1],
        validation: { verdict: 'unchecked' },
      })
    },
  )

  it('ends its run when the caller stops reading, even while the program is silent', async () => {
    let aborted = false
    const { start } = callerOf(
      async function* (_tool, _input, { signal }) {
        await new Promise(resolve => signal.addEventListener('abort', resolve))
        aborted = true
        yield { type: 'failure', reason: 'cancelled', content: [], message: '' }
      },
      async () => valid,
    )
    for await (const event of start()) if (event.type === 'input-validation') break
    expect(aborted).toBe(true)
  })

  it('says that its source was closed while it ran', async () => {
    const { start, closing } = callerOf(
      (_tool, _input, { signal }) => untilAborted(signal),
      async () => valid,
    )
    setTimeout(() => closing.abort(), 20)
    expect(await awaitEnding(start())).toMatchObject({
      reason: 'cancelled',
      message: 'The source was closed while the call ran.',
    })
  })

  it.each([
    ['no ending', () => eventsOf(), { reason: 'bad-output' }],
    [
      'an error',
      () => {
        throw new Error('broke at set-up-s3cret')
      },
      { reason: 'network', message: 'broke at •••' },
    ],
  ] as const)('ends with a failure when the session has %s', async (_case, run, expected) => {
    const { start } = callerOf(run, async () => valid)
    expect((await all(start())).at(-1)).toMatchObject({ type: 'failure', ...expected })
  })

  it('masks secrets in what the program prints, but not in its result', async () => {
    const said: SessionEvent = { type: 'result', content: [{ type: 'text', text: 'set-up-s3cret' }] }
    const { start } = callerOf(
      () => eventsOf({ type: 'stdout', text: 'set-up-s3cret' }, said),
      async () => valid,
    )
    const events: SessionEvent[] = []
    for await (const event of sessionEventsOf(start())) events.push(event)
    expect(events).toEqual([{ type: 'stdout', text: '•••' }, said])
  })

  it('validates nothing when verdicts are switched off', async () => {
    const { start, log } = callerOf(
      () => eventsOf(result),
      async () => valid,
    )
    const events = await all(start(never(), { withoutVerdicts: true }))
    expect(typesOf(events)).toEqual(['started', 'result'])
    expect(events.at(-1)).toMatchObject({ validation: { verdict: 'unchecked' } })
    expect(log).toEqual(['started'])
  })

  it.each([
    [{ timeoutMs: 5 }, 5],
    [{ defaultTimeoutMs: 7 }, 7],
    [{}, 60_000],
  ])('with %j has a limit of %i ms', async (options, timeoutMs) => {
    const { start } = callerOf(
      () => eventsOf(result),
      async () => valid,
    )
    expect((await all(start(never(), options)))[0]).toMatchObject({ timeoutMs })
  })

  it('names the limit of a call that took too long, and where to change it', async () => {
    const late: SessionEvent = {
      type: 'failure',
      reason: 'timeout',
      content: [],
      message: 'Ended 1 process.',
    }
    const { start } = callerOf(
      () => eventsOf(late),
      async () => valid,
    )
    expect(await awaitEnding(start(never(), { timeoutMs: 300_000 }))).toMatchObject({
      message: 'The call took longer than its time limit of 5 min. Ended 1 process.',
      hint: expect.stringContaining('--timeout 5m'),
    })
  })

  it('throws at once for a tool that cannot be called', () => {
    const session = { secrets: [] } as unknown as Session // Only `call` and `secrets` are looked at.
    const target = { tool: { ...testTool, callable: false }, session, closed: never() }
    const call = createCaller({ tools: { callTarget: () => target }, validator: lenient, pins: null })
    const request = { ref: testTool.ref, input: { text: '{}', value: {} }, origin: 'page' } as const
    expect(() => call({ ...request, signal: never() })).toThrow('"acme/api greet" comes from acme')
  })
})

const { execPath } = process
it.each([
  [
    'a program',
    [execPath, resolveInRepository('examples/acme/acme.mjs')],
    'ops logs',
    { release: 'r-2291', seconds: 600 },
  ],
  [
    'a server',
    ['mcp:', execPath, resolveInRepository('server/sources/fixtures/mcp-quirks-new.mjs')],
    'hang',
    {},
  ],
] as const)(
  'tool call: closing %s ends its running calls with a failure that says so',
  aboutTime,
  async (_kind, argument, name, value) => {
    const catalog = new Catalog(testContext)
    const source = await catalog.sources.open(await detectSource(argument, testContext))
    const call = createCaller({ tools: catalog, validator: lenient, pins: null })
    const input = { text: JSON.stringify(value), value }
    const running = awaitEnding(
      call({ ref: `${source.name}/${name}`, input, origin: 'page', signal: never() }),
    )
    await new Promise(resolve => setTimeout(resolve, 300))
    const closed = Date.now()
    await catalog.sources.stop(source.name)
    expect(await running).toMatchObject({
      type: 'failure',
      reason: 'cancelled',
      message: 'The source was closed while the call ran.',
    })
    expect(Date.now() - closed).toBeLessThan(limitNow(2_000))
    await catalog.close()
  },
)

describe('tool call of an MCP server that reports progress', () => {
  const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  /** Ten steps of 100 ms, so that the limit of 700 ms would end it without progress. */
  const [input, timeoutMs] = [{ duration: 1, steps: 10 }, 700]
  const run = async (catalog: Catalog, given: object = input) => {
    const call = createCaller({ tools: catalog, validator: lenient, pins: null })
    return awaitEnding(
      call({
        ref: 'everything/trigger-long-running-operation',
        input: { text: JSON.stringify(given), value: given },
        origin: 'page',
        options: { timeoutMs },
        signal: never(),
      }),
    )
  }

  it('resets its limit at each progress, unless the setting of its source says no', aboutTime, async () => {
    const catalog = new Catalog(testContext)
    try {
      const spec = await detectSource(['mcp:', process.execPath, everything], testContext)
      await catalog.sources.open({ ...spec, settings: { ...spec.settings, name: 'everything' } })
      expect(await run(catalog)).toMatchObject({ type: 'result' })
      // One step takes longer than the limit.
      expect(await run(catalog, { duration: 2, steps: 1 })).toMatchObject({ reason: 'timeout' })
      await catalog.sources.setCallSettings('everything', { progressResetsTimeout: false })
      expect(await run(catalog)).toMatchObject({
        reason: 'timeout',
        message: 'The call took longer than its time limit of 700 ms. The server was notified.',
      })
    } finally {
      await catalog.close()
    }
  })

  it('ends at ten times its limit, however much progress it reports', aboutTime, async () => {
    const catalog = new Catalog(testContext)
    try {
      const spec = await detectSource(['mcp:', process.execPath, everything], testContext)
      await catalog.sources.open({ ...spec, settings: { ...spec.settings, name: 'everything' } })
      const call = createCaller({ tools: catalog, validator: lenient, pins: null })
      const given = { duration: 60, steps: 6_000 }
      const events = call({
        ref: 'everything/trigger-long-running-operation',
        input: { text: JSON.stringify(given), value: given },
        origin: 'page',
        options: { timeoutMs: 200 },
        signal: never(),
      })
      expect(await awaitEnding(events)).toMatchObject({
        reason: 'timeout',
        message:
          'The call took longer than its time limit of 200 ms. Progress reset it until the longest time of such a call, 2 s. The server was notified.',
      })
    } finally {
      await catalog.close()
    }
  })
})
