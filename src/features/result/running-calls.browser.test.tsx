import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { CallEvent } from '../../../core/tool/invocation.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const startedAt = new Date(0).toISOString()
const validation = { verdict: 'valid', issues: [] } as const

/** Each call goes on, and `asked` asks for an answer, until `end` is called. */
function openSlowPage() {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    end = resolve
  })
  const backend = memoryBackend({ tools: ['slow', 'asked', 'other'] })
  async function* call(ref: string): AsyncGenerator<CallEvent> {
    yield {
      type: 'started',
      id: ref,
      ref,
      startedAt,
      inputText: '{}',
      timeoutMs: 1_000,
    }
    if (ref === 'desk/asked')
      yield {
        type: 'question',
        question: { id: 'q', mode: 'url', message: 'Sign in', url: 'https://example.com' },
      }
    await ended
    yield { type: 'result', content: [], validation, timing: { startedAt, durationMs: 1 } }
  }
  // The page asks for no other lines here.
  const requestLines = ((_key: string, { body }: { body: { ref: string } }) =>
    call(body.ref)) as unknown as typeof backend.requestLines
  return { address: openPage({ ...backend, requestLines }, '/?tool=desk/slow'), end: () => end() }
}

const foot = page.getByRole('contentinfo')
const row = (name: string) => page.getByRole('treeitem', { name: new RegExp(`^${name}`) })

/** Whether the browser would ask before the page is left. */
const asksBeforeLeaving = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))

test('running calls: have links below 900 px, where the page has no foot', async () => {
  await page.viewport(390, 800)
  const { address, end } = openSlowPage()
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('cancel-button')).toBeVisible()
  await page.getByRole('button', { name: 'Toolscope: to the catalog' }).click()
  await page.getByRole('link', { name: '1 call running' }).click()
  await expect.poll(address).toContain('tool=desk/slow')
  end()
  await page.viewport(1440, 900)
})

test('running calls: have links at the foot of other tools, and make the page ask before it is left', async () => {
  await page.viewport(1440, 900)
  const { address, end } = openSlowPage()
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('cancel-button')).toBeVisible()
  expect(foot.getByRole('link').elements()).toEqual([])
  await row('asked').click()
  await page.getByTestId('call-button').click()
  await row('other').click()
  await expect.element(foot.getByRole('link', { name: '1 call running' })).toBeVisible()
  expect(asksBeforeLeaving()).toBe(true)
  await foot.getByRole('link', { name: '1 call waits for your answer' }).click()
  await expect.poll(address).toContain('tool=desk/asked')
  await foot.getByRole('link', { name: '1 call running' }).click()
  await expect.poll(address).toContain('tool=desk/slow')
  end()
  await expect.element(foot.getByRole('link')).not.toBeInTheDocument()
  expect(asksBeforeLeaving()).toBe(false)
})
