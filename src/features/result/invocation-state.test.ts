import { expect, it } from 'vitest'
import type { StoredInvocation } from '../../../core/api/history.ts'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import { addEvents, localFailure, startInvocation, storedInvocation } from './invocation-state.ts'

const started: CallEvent = {
  type: 'started',
  id: '1',
  ref: 'acme/greet',
  startedAt: '2026-11-21T18:30:00Z',
  inputText: '{"name":"Ada"}',
  timeoutMs: 60_000,
}
const fresh = startInvocation('acme/greet', '{}', 0)

it('addEvents: keeps the facts of the page, the input that was sent, and stdout of a call without a result', () => {
  const ending = localFailure(fresh, { reason: 'cancelled', message: 'Cancelled.' }, 40)
  const state = addEvents(fresh, [started, { type: 'stdout', text: 'half a line' }, ending])
  expect(state).toMatchObject({ ref: 'acme/greet', pressedAt: 0, inputText: '{"name":"Ada"}', started })
  expect(state.logs.chunks).toEqual([{ stream: 'stdout', text: 'half a line' }])
  expect(state.ending?.timing.durationMs).toBe(40)
})

it('storedInvocation: keeps stdout that ends with the result, because the history has removed the result', () => {
  const ending = localFailure(fresh, { reason: 'exit', message: 'exit 1', raw: '1' }, 40)
  const events: readonly CallEvent[] = [started, { type: 'stdout', text: 'step 1\n' }, ending]
  const state = storedInvocation({ ref: 'acme/greet', inputText: '{}', events } as StoredInvocation)
  expect(state.logs.chunks).toEqual([{ stream: 'stdout', text: 'step 1\n' }])
  expect(state).toMatchObject({ isStored: true, inputText: '{"name":"Ada"}', ending })
})
