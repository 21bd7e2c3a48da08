import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallEvent, SessionEvent } from '../../core/tool/invocation.ts'
import { History } from '../history/history.ts'
import { testTool } from '../history/testkit.ts'
import type { Session } from '../sources/source.ts'
import { getInvocation } from '../store/invocations.ts'
import type { Store } from '../store/store.ts'
import { sqlite, type TestDatabase } from '../store/testkit.ts'
import { startValidator, type Validator } from '../workers/validator.ts'
import { type Caller, createCaller } from './call.ts'

const deepText = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const validator = startValidator()
let database: TestDatabase
let store: Store
let history: History

beforeAll(async () => {
  database = await sqlite.create()
  store = await database.open()
  history = new History(store)
})
afterAll(async () => {
  await validator.close()
  await history.close()
  await database.remove()
})

/** A caller of one tool whose session yields what it is given. */
function callerOf(run: () => AsyncIterable<SessionEvent>, judge: Validator = validator): Caller {
  const session = { secrets: [], call: run } as unknown as Session // Only `call` and `secrets` are used.
  const tool = { ...testTool, outputSchema: { type: 'array' } }
  const tools = { callTarget: () => ({ tool, session, closed: new AbortController().signal }) }
  const versions = { referenceOf: async () => undefined, close: async () => {} }
  return createCaller({ tools, validator: judge, pins: null, record: { history, versions } })
}

/** Calls and reads back what history has of it. */
async function callAndRead(call: Caller, inputText = '{"name":"Ada"}') {
  const events: CallEvent[] = []
  const input = { text: inputText, value: JSON.parse(inputText) }
  const { signal } = new AbortController()
  for await (const event of call({ ref: testTool.ref, input, origin: 'page', signal })) events.push(event)
  const endings = events.filter(event => event.type === 'result' || event.type === 'failure')
  expect(endings).toHaveLength(1)
  expect(events.at(-1)).toBe(endings[0])
  await history.flush()
  const id = events[0]?.type === 'started' ? events[0].id : ''
  return { ending: endings[0], stored: await getInvocation(store, id) }
}

async function* eventsOf(...events: SessionEvent[]): AsyncGenerator<SessionEvent> {
  yield* events
}

describe('ending of a call', () => {
  test('delivers and keeps a result of 20,000 nested arrays as text, without a verdict', async () => {
    const raw = deepText(20_000)
    const structuredContent = JSON.parse(raw)
    const call = callerOf(() => eventsOf({ type: 'result', content: [], structuredContent, raw }))
    const { ending, stored } = await callAndRead(call)
    expect(ending).toMatchObject({ type: 'result', raw, validation: { verdict: 'unchecked' } })
    expect(JSON.parse(JSON.stringify(ending))).toMatchObject({ note: expect.stringContaining('levels deep') })
    expect(stored).toMatchObject({ outcome: 'ok', verdict: 'unchecked' })
    expect(stored?.events.at(-1)).toMatchObject({ raw })
  })

  test('delivers the other blocks when one block and _meta are nested too deep', async () => {
    const block = { type: 'resource_link', uri: 'x:', _meta: JSON.parse(deepText(9_000)) }
    const meta = { deep: JSON.parse(deepText(9_000)) }
    const content = [{ type: 'text', text: 'hello' }, block] as never
    const { ending } = await callAndRead(callerOf(() => eventsOf({ type: 'result', content, meta })))
    expect(JSON.parse(JSON.stringify(ending))).toMatchObject({ content: [{ text: 'hello' }] })
  })

  test('comes once for an input of 20,000 nested arrays, which gets no verdict', async () => {
    const call = callerOf(() => eventsOf({ type: 'result', content: [], structuredContent: [] }))
    const { stored } = await callAndRead(call, deepText(20_000))
    expect(stored).toMatchObject({ outcome: 'ok', inputVerdict: 'unchecked' })
  })

  test('is a failure that says so when the validator breaks', async () => {
    const broken: Validator = { ...validator, validate: () => Promise.reject(new Error('out of threads')) }
    const call = callerOf(() => eventsOf({ type: 'result', content: [] }), broken)
    const { ending, stored } = await callAndRead(call)
    expect(ending).toMatchObject({ type: 'failure', message: expect.stringContaining('out of threads') })
    expect(stored).toMatchObject({ outcome: 'bad-output' })
  })

  test('is the first result when a session yields two', async () => {
    const result = (text: string) => ({ type: 'result', content: [{ type: 'text', text }] }) as const
    const { ending } = await callAndRead(callerOf(() => eventsOf(result('one'), result('two'))))
    expect(ending).toMatchObject({ content: [{ text: 'one' }] })
  })

  test('replaces "unfinished", which history has before the program starts', async () => {
    let seen: unknown
    let id = ''
    const call = callerOf(async function* () {
      seen = await getInvocation(store, id)
      yield { type: 'result', content: [] }
    })
    const input = { text: '{}', value: {} }
    const { signal } = new AbortController()
    for await (const event of call({ ref: testTool.ref, input, origin: 'page', signal }))
      if (event.type === 'started') id = event.id
    expect(seen).toMatchObject({ id, outcome: 'unfinished', inputText: '{}' })
    await history.flush()
    expect(await getInvocation(store, id)).toMatchObject({ id, outcome: 'ok' })
  })
})
