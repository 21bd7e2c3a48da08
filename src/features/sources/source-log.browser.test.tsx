import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { CallSettings } from '../../../core/api/call-settings.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import type { LogLine } from '../../../core/tool/log-line.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const about = {
  ...{ name: 'desk', kind: 'mcp-server', label: 'desk', status: 'ready', toolCount: 1, callable: true },
  hasLog: true,
  capabilities: { logging: {} },
  problems: [],
} as const satisfies SourceState

test('source log: shows lines with levels, filters them and sets the level of the server', async () => {
  const time = new Date().toISOString()
  const lines: LogLine[] = [
    { number: 1, time, origin: 'output', text: 'started <b>' },
    { number: 2, time, origin: 'message', level: 'info', text: 'a request' },
    { number: 3, time, origin: 'message', level: 'error', logger: 'disk', text: 'it is full' },
  ]
  const changes: CallSettings[] = []
  let source: SourceState = about
  openPage(
    memoryBackend({
      tools: [{ name: 'x', inputSchema: {} }],
      handlers: {
        'GET /api/sources': async () => ({ sources: [source], examples: [], removed: [] }),
        'POST /api/sources/{name}/restart': async () => source,
        'GET /api/sources/{name}/log': async () => ({ lines }),
        async 'PUT /api/sources/{name}/call-settings'({ body }) {
          changes.push(body)
          source = { ...about, callSettings: body }
          return source
        },
      },
    }),
    '/?about=desk',
  )
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  const log = page.getByTestId('source-log')
  await expect.element(log).toHaveTextContent('started <b>')
  await expect.element(log).toHaveTextContent('disk: it is full')
  await expect.element(log.getByRole('heading', { name: 'Log' })).toHaveFocus()
  await expect.element(log.getByRole('heading', { name: 'Log' })).toBeInViewport()
  await userEvent.selectOptions(log.getByLabelText('Show'), 'warning')
  await expect.element(log).not.toHaveTextContent('a request')
  await expect.element(log).not.toHaveTextContent('started <b>')
  await expect.element(log).toHaveTextContent('it is full')
  await userEvent.selectOptions(log.getByLabelText('Show'), 'alert')
  await expect.element(log).toHaveTextContent('None of 3 lines has this level.')
  await userEvent.selectOptions(log.getByLabelText('Set level'), 'debug')
  await expect.element(log.getByLabelText('Set level')).toHaveValue('debug')
  expect(changes).toEqual([{ logLevel: 'debug' }])
})
