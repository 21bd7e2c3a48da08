import { expect, test } from 'vitest'
import { AppError } from '../../../core/errors.ts'
import { localBackend } from '../../api/local-backend.ts'
import { describeStatus } from './ending-text.ts'
import { getInvocationStore, startCall } from './invocation-store.ts'

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
