import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import type { Question } from '../../../core/tool/question.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const startedAt = new Date(0).toISOString()
const validation = { verdict: 'valid', issues: [] } as const
const call = { id: 'c1', ref: 'desk/asked', startedAt, inputText: '{}', timeoutMs: 1_000 } as const

/** Calls a tool whose server asks this, and ends with the first answer. Returns the answers that were sent. */
async function openQuestion(question: Question) {
  const sent: unknown[] = []
  let end = () => {}
  const answered = new Promise<void>(resolve => {
    end = resolve
  })
  const backend = memoryBackend({
    tools: ['asked'],
    handlers: {
      async 'POST /api/invocations/{id}/answers'({ body }) {
        sent.push(body)
        end()
        return { verdict: 'valid', issues: [] }
      },
    },
  })
  async function* lines(): AsyncGenerator<CallEvent> {
    yield { type: 'started', ...call }
    yield { type: 'question', question }
    await answered
    yield { type: 'result', content: [], validation, timing: { startedAt, durationMs: 1 } }
  }
  // The page asks for no other lines here.
  openPage({ ...backend, requestLines: lines as unknown as typeof backend.requestLines }, '/?tool=desk/asked')
  await page.getByTestId('call-button').click()
  return { card: page.getByTestId('question'), sent }
}

test.each(['http://[', 'http://a:99999/', 'https://%zz/'])(
  'question card: keeps Decline in reach for %s, which no browser opens',
  async url => {
    const { card, sent } = await openQuestion({ id: url, mode: 'url', message: 'Sign in', url })
    await expect.element(card).toHaveTextContent('No browser opens the address that it gives.')
    await card.getByRole('button', { name: 'Decline' }).click()
    await expect.poll(() => sent).toMatchObject([{ question: url, action: 'decline' }])
    await expect.element(card).not.toBeInTheDocument()
  },
)

test('question card: is headed by the name of the source as the user knows it, whatever the server calls itself', async () => {
  const { card } = await openQuestion({
    ...{ id: 'own-name', mode: 'url', message: 'Sign in', url: 'https://example.com' },
    server: 'Toolscope',
  })
  await expect.element(card.getByRole('heading')).toHaveTextContent(/^desk asks$/)
  await expect.element(card).toHaveTextContent('Its own name: Toolscope')
  await card.getByRole('button', { name: 'Decline' }).click()
  await expect.element(card).not.toBeInTheDocument()
})
