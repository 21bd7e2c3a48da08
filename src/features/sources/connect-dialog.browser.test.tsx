import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { SourceState } from '../../../core/api/sources.ts'
import { connectTo } from '../../../core/prompt/connect.ts'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const source: SourceState = {
  name: 'memory',
  kind: 'mcp-server',
  label: 'node memory.mjs',
  status: 'ready',
  toolCount: 9,
  callable: true,
  problems: [],
}
const own = { command: ['node', '/srv/memory.mjs'], env: { API_KEY: 's3cret-value' } }
const through = { source: ['node', '/srv/memory.mjs'], env: own.env }

test('connect dialog: shows the texts of the chosen client and way, without the secret', async () => {
  const handlers = {
    'GET /api/sources': async () => ({ sources: [source], removed: [], examples: [] }),
    'GET /api/sources/{name}/connect': async ({
      params: { name },
      query: { client, via = 'server' },
    }: {
      params: { name: string }
      query: { client: Parameters<typeof connectTo>[0]; via?: 'server' | 'toolscope' | undefined }
    }) => ({
      via,
      ...connectTo(client, { name, server: via === 'server' ? own : through }, '~/clients.json'),
    }),
  }
  openPage(memoryBackend({ handlers }), '/?about=memory')
  await page.getByRole('button', { name: 'Connect…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect memory' })
  const line = dialog.getByRole('region', { name: 'The line for Claude Code' })
  await expect
    .element(line)
    .toHaveTextContent("claude mcp add memory --env 'API_KEY=${API_KEY}' -- node /srv/memory.mjs")
  await dialog.getByRole('button', { name: 'VS Code' }).click()
  await expect
    .element(dialog.getByRole('link', { name: 'Open' }))
    .toHaveAttribute('href', expect.stringMatching(/^vscode:mcp\/install\?%7B/))
  await expect
    .element(dialog.getByText('VS Code asks for API_KEY and keeps the answer as a secret.'))
    .toBeVisible()
  await dialog.getByRole('button', { name: 'Through Toolscope' }).click()
  await expect
    .element(dialog.getByRole('region', { name: 'The file for VS Code' }))
    .toHaveTextContent('"command": "toolscope"')
  expect(dialog.element().textContent).not.toContain('s3cret')
})
