import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

test('example row: shows its input in one line, and the expected result as a tooltip', async () => {
  const input = '{"name":"Ada","n":1.50,"rest":"x"}'
  const text = `{"name":"greets Ada","input":${input},"expect":{"exact":{"greeting":"Good day"}}}`
  openPage(
    memoryBackend({
      tools: ['greet'],
      handlers: {
        'GET /api/examples': async () => ({
          examples: [{ name: 'greets Ada', text }],
          problems: [],
          place: 'toolscope.examples',
        }),
      },
    }),
    '/?tool=desk/greet&tab=examples',
  )
  const shown = page.getByText(input)
  await expect.element(shown).toBeVisible()
  const { height } = shown.element().getBoundingClientRect()
  expect(height).toBeLessThan(24)
  await expect
    .element(page.getByText('exactly this result'))
    .toHaveAttribute('title', '{"greeting":"Good day"}')
})
