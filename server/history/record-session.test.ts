import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SessionEvent } from '../../core/call/invocation.ts'
import { listInvocations } from '../store/invocation-list.ts'
import { getInvocation } from '../store/invocations.ts'
import type { Store } from '../store/store.ts'
import { databases, type TestDatabase } from '../store/testkit.ts'
import { History } from './history.ts'
import { passOnTo } from './record-session.ts'
import { testTool } from './testkit.ts'

let database: TestDatabase
let store: Store
let history: History
beforeEach(async () => {
  const [sqlite] = databases
  if (sqlite === undefined) throw new Error('SQLite is always there')
  database = await sqlite.create()
  store = await database.open()
  history = new History(store)
})
afterEach(async () => {
  await history.close()
  await database.remove()
})

const call = {
  tool: testTool,
  input: { text: '{"name":"Ada","token":"s3cret-9"}', value: { name: 'Ada', token: 's3cret-9' } },
  timeoutMs: 1000,
  secrets: ['from-env-1'],
}

async function* session(...events: SessionEvent[]): AsyncGenerator<SessionEvent> {
  yield* events
}

test('a session’s events pass through unchanged, and the call is remembered without its secrets', async () => {
  const events: SessionEvent[] = [
    { type: 'stderr', text: 'from-env-1\n' },
    { type: 'result', content: [{ type: 'text', text: 'hello s3cret-9' }] },
  ]
  const seen: SessionEvent[] = []
  for await (const event of passOnTo(history, 'mcp')(session(...events), call)) seen.push(event)
  expect(seen).toEqual(events)
  await history.flush()
  const { invocations } = await listInvocations(store, { origin: 'mcp' }, { limit: 5 })
  expect(invocations).toMatchObject([{ ref: testTool.ref, outcome: 'ok', verdict: 'unchecked' }])
  const stored = JSON.stringify(await getInvocation(store, invocations[0]?.id ?? ''))
  expect(stored).toContain('hello')
  expect(stored).not.toMatch(/s3cret-9|from-env-1/)
})

test('who stops reading at the ending still leaves a whole call behind', async () => {
  const failure: SessionEvent = { type: 'failure', reason: 'exit', message: 'no', content: [] }
  for await (const event of passOnTo(history, 'bridge')(session(failure), call)) if (event === failure) break
  await history.flush()
  const { invocations } = await listInvocations(store, { origin: 'bridge', outcome: 'exit' }, { limit: 5 })
  expect(invocations).toHaveLength(1)
})
