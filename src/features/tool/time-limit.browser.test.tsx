import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { CallSettings } from '../../../core/api/call-settings.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const about = {
  ...{ name: 'desk', kind: 'mcp-server', label: 'desk', status: 'ready', toolCount: 1, callable: true },
  problems: [],
} as const satisfies SourceState

/** Opens the page of one tool, or of its source. Returns the limits of its calls and the settings that were sent. */
function openLimited(name: string, settings?: CallSettings, address = `/?tool=desk/${name}`) {
  const limits: (number | undefined)[] = []
  const changes: CallSettings[] = []
  let source: SourceState = { ...about, ...(settings && { callSettings: settings }) }
  openPage(
    memoryBackend({
      tools: [{ name, inputSchema: {} }],
      answer(_input, timeoutMs) {
        limits.push(timeoutMs)
        return { structuredContent: `answer ${limits.length}` }
      },
      handlers: {
        'GET /api/sources': async () => ({ sources: [source], examples: [], removed: [] }),
        async 'PUT /api/sources/{name}/call-settings'({ body }) {
          changes.push(body)
          source = { ...about, callSettings: body }
          return source
        },
      },
    }),
    address,
  )
  return { limits, changes }
}

const button = page.getByTestId('time-limit')
const dialog = page.getByRole('dialog')
const field = dialog.getByLabelText('Time limit')

async function callOnce(times: number): Promise<void> {
  await page.getByTestId('call-button').click()
  await expect.element(page.getByTestId('result-view')).toHaveTextContent(`answer ${times}`)
}

test('time limit: shows the limit of the source next to the call, which is sent only if it is changed', async () => {
  const { limits, changes } = openLimited('one', { timeoutMs: 90_000 })
  await expect.element(button).toHaveAccessibleName('Time limit: 90 s')
  await callOnce(1)
  await button.click()
  await field.fill('5m')
  await userEvent.keyboard('{Enter}')
  await expect.element(button).toHaveTextContent('5 min')
  await callOnce(2)
  await button.click()
  await dialog.getByRole('button', { name: 'Reset to 90 s' }).click()
  await expect.element(button).toHaveTextContent('90 s')
  await callOnce(3)
  expect(limits).toEqual([undefined, 300_000, undefined])
  expect(changes).toEqual([])
})

test('time limit: changes the limit of all tools of the source', async () => {
  const { limits, changes } = openLimited('all', { askBeforeDestructive: 'once' })
  await button.click()
  await field.fill('1h')
  await dialog.getByLabelText('all tools of desk').click()
  await dialog.getByLabelText('Progress starts the limit again').click()
  await dialog.getByRole('button', { name: 'Set' }).click()
  await expect.element(button).toHaveTextContent('1 h')
  expect(changes).toEqual([
    { askBeforeDestructive: 'once', timeoutMs: 3_600_000, progressResetsTimeout: false },
  ])
  await callOnce(1)
  expect(limits).toEqual([undefined])
})

test('time limit: refuses a text in another form, and says which forms there are', async () => {
  openLimited('wrong')
  await button.click()
  await field.fill('2h')
  await expect.element(dialog).toHaveTextContent('Enter 500ms, 60s, 5m or 1h')
  await expect.element(dialog.getByRole('button', { name: 'Set' })).toBeDisabled()
  await userEvent.keyboard('{Enter}')
  await expect.element(dialog).toBeVisible()
})

test('source page: changes the limit of its calls and when it asks', async () => {
  const { changes } = openLimited('page', { timeoutMs: 90_000 }, '/?about=desk')
  const calls = page.getByRole('form', { name: 'Calls' })
  await expect.element(calls.getByLabelText('Time limit')).toHaveValue('90 s')
  await calls.getByLabelText('Ask before destructive calls').selectOptions('never')
  await expect.element(calls.getByLabelText('Ask before destructive calls')).toHaveValue('never')
  await calls.getByLabelText('Time limit').fill('')
  await calls.getByRole('button', { name: 'Set' }).click()
  await expect.element(calls.getByLabelText('Time limit')).toHaveValue('')
  expect(changes).toEqual([
    { timeoutMs: 90_000, askBeforeDestructive: 'never' },
    { askBeforeDestructive: 'never' },
  ])
})

test('source page: the own tools of a server can be listed next to those behind them', async () => {
  const { changes } = openLimited('page', { ownTools: 'only' }, '/?about=desk')
  await page.getByLabelText('Show the server’s own tools').selectOptions('also')
  await expect.poll(() => changes).toEqual([{ ownTools: 'also' }])
})

test('source page: a server with only its own tools has no choice of them', async () => {
  openLimited('page', {}, '/?about=desk')
  await expect.element(page.getByLabelText('Era of MCP')).toBeVisible()
  await expect.element(page.getByLabelText('Show the server’s own tools')).not.toBeInTheDocument()
})
