import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../testing/memory-backend.ts'
import { openPage } from '../testing/open-page.ts'

const tab = (name: string) => page.getByRole('tab', { name })

test('tabs: are chosen by the arrow keys, Home and End, and the arrows go around at the ends', async () => {
  openPage(memoryBackend({ tools: ['get'] }), '/?tool=desk/get')
  await tab('Form').click()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(tab('Reference')).toHaveAttribute('aria-selected', 'true')
  await expect.element(tab('Reference')).toHaveFocus()
  await userEvent.keyboard('{Home}{ArrowLeft}')
  // A call of another test may have left a result, with tabs of its own.
  const last = page.getByRole('tablist').first().getByRole('tab').last()
  await expect.element(last).toHaveFocus()
  await expect.element(last).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(tab('Form')).toHaveFocus()
})

test('tabs: have only the chosen tab in the Tab order, and label the panel by it', async () => {
  openPage(memoryBackend({ tools: ['get'] }), '/?tool=desk/get&tab=reference')
  await expect.element(tab('Reference')).toHaveAttribute('tabindex', '0')
  await expect.element(tab('Form')).toHaveAttribute('tabindex', '-1')
  const panel = document.getElementById(tab('Reference').element().getAttribute('aria-controls') ?? '')
  expect(panel?.getAttribute('role')).toBe('tabpanel')
  expect(panel?.getAttribute('aria-labelledby')).toBe(tab('Reference').element().id)
})
