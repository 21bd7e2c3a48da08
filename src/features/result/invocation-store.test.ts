import { expect, test } from 'vitest'
import { AppError } from '../../../core/errors.ts'
import { localBackend } from '../../api/local-backend.ts'
import { describeStatus } from './ending-text.ts'
import { cancelCall, getInvocationStore, startCall } from './invocation-store.ts'

test('callTool: says that the page makes the call, which may ask the user', async () => {
  const bodies: unknown[] = []
  const listening = localBackend(
    {},
    {
      async *'POST /api/invocations'({ body }) {
        bodies.push(body)
        yield { type: 'queued', position: 0 }
      },
    },
  )
  await startCall(listening, { ref: 'desk/named', inputText: '{}' })
  expect(bodies).toEqual([{ ref: 'desk/named', inputText: '{}', options: { origin: 'page', asks: true } }])
})

test('callTool: reports a call that the server refuses as refused and unchecked, not as a failed connection', async () => {
  const ref = 'desk/refused'
  const refusing = localBackend(
    {},
    {
      // biome-ignore lint/correctness/useYield: it refuses before there is anything to yield
      async *'POST /api/invocations'() {
        throw new AppError('input-invalid', 'line 1, column 1')
      },
    },
  )
  await startCall(refusing, { ref, inputText: 'garbage' })
  const state = getInvocationStore(ref).get()
  expect(state && describeStatus(state)).toEqual({ text: 'refused', tone: 'bad' })
  expect(state?.ending).toMatchObject({
    message: 'The input is not JSON: line 1, column 1',
    validation: { verdict: 'unchecked' },
  })
  expect(state?.ending).not.toHaveProperty('stderr')
})

test('cancelCall: cancels at the server, because it may have made a task that the page does not know', async () => {
  const ref = 'desk/task'
  const cancelled: string[] = []
  let onStarted = () => {}
  const started = new Promise<void>(resolve => {
    onStarted = resolve
  })
  const backend = localBackend(
    {
      'POST /api/invocations/{id}/cancel': async ({ params }) => {
        cancelled.push(params.id)
        return { cancelled: true }
      },
    },
    {
      async *'POST /api/invocations'({ signal }) {
        yield {
          type: 'started',
          id: 'call-1',
          ref,
          startedAt: '2026-11-28T00:00:00.000Z',
          inputText: '{}',
          timeoutMs: 1_000,
        }
        onStarted()
        await new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
        })
      },
    },
  )
  const running = startCall(backend, { ref, inputText: '{}' })
  // Before the first update of the state.
  await started
  cancelCall(ref, backend)
  await running
  expect(cancelled).toEqual(['call-1'])
  expect(getInvocationStore(ref).get()?.ending).toMatchObject({ reason: 'cancelled' })
})
