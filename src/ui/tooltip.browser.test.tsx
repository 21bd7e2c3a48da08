import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../testing/memory-backend.ts'
import { openPage } from '../testing/open-page.ts'

const fill = page.getByRole('button', { name: 'Fill example' })
const tooltip = page.getByRole('tooltip')

async function openTool() {
  openPage(memoryBackend({ tools: ['get'] }), '/?tool=desk/get')
  await expect.element(fill).toBeVisible()
}

test('a tooltip opens under the pointer, stays while it is pointed at, and goes with the pointer', async () => {
  await openTool()
  expect(document.querySelector('[role=tooltip]')).toBeNull()
  await fill.hover()
  await expect.element(tooltip).toHaveTextContent('Fill example')
  const shown = document.querySelector('[data-side]') as HTMLElement
  const [box, anchor] = [shown.getBoundingClientRect(), fill.element().getBoundingClientRect()]
  expect(Math.abs(box.x + box.width / 2 - anchor.x - anchor.width / 2)).toBeLessThan(60)
  expect(box.bottom <= anchor.top || box.top >= anchor.bottom).toBe(true)
  await userEvent.hover(shown)
  await new Promise(resolve => setTimeout(resolve, 300))
  await expect.element(tooltip).toHaveTextContent('Fill example')
  await page.getByTestId('tool-title').hover()
  await expect.poll(() => document.querySelector('[role=tooltip]')).toBeNull()
})

test('the keys open a tooltip at once, Escape closes it, and a press leaves none', async () => {
  await openTool()
  ;(page.getByTestId('copy-as').element() as HTMLElement).focus()
  await userEvent.keyboard('{Tab}')
  await expect.element(fill).toHaveFocus()
  await expect.element(tooltip).toHaveTextContent('Fill example')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.querySelector('[role=tooltip]')).toBeNull()
  await expect.element(fill).toHaveFocus()
  await fill.click()
  await new Promise(resolve => setTimeout(resolve, 600))
  expect(document.querySelector('[role=tooltip]')).toBeNull()
})
