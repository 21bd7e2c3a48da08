import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../testing/memory-backend.ts'
import { openPage } from '../testing/open-page.ts'

const star = page.getByRole('button', { name: /favorites/ })
const tooltip = page.getByRole('tooltip')

async function openTool() {
  openPage(memoryBackend({ tools: ['get'] }), '/?tool=desk/get')
  await expect.element(star).toBeVisible()
}

test('tooltip: opens at the hovered button, stays while it is hovered, and closes when the pointer leaves', async () => {
  await openTool()
  expect(document.querySelector('[role=tooltip]')).toBeNull()
  await star.hover()
  await expect.element(tooltip).toHaveTextContent('Add to favorites')
  const shown = document.querySelector('[data-side]') as HTMLElement
  const [box, anchor] = [shown.getBoundingClientRect(), star.element().getBoundingClientRect()]
  expect(Math.abs(box.x + box.width / 2 - anchor.x - anchor.width / 2)).toBeLessThan(60)
  expect(box.bottom <= anchor.top || box.top >= anchor.bottom).toBe(true)
  await userEvent.hover(shown)
  await new Promise(resolve => setTimeout(resolve, 300))
  await expect.element(tooltip).toHaveTextContent('Add to favorites')
  await page.getByTestId('tool-title').hover()
  await expect.poll(() => document.querySelector('[role=tooltip]')).toBeNull()
})

test('tooltip: opens at once by keyboard focus, closes by Escape, and does not stay after a press', async () => {
  await openTool()
  await userEvent.keyboard('{Tab}')
  ;(star.element() as HTMLElement).focus()
  await expect.element(star).toHaveFocus()
  await expect.element(tooltip).toHaveTextContent('Add to favorites')
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => document.querySelector('[role=tooltip]')).toBeNull()
  await expect.element(star).toHaveFocus()
  await star.click()
  await new Promise(resolve => setTimeout(resolve, 600))
  expect(document.querySelector('[role=tooltip]')).toBeNull()
  // The tests of this browser share its favorites.
  await star.click()
  await expect.element(star).toHaveAccessibleName('Add to favorites')
})

test('tooltip: does not open for the button of an open menu, where it would cover the menu', async () => {
  await openTool()
  const settings = page.getByRole('button', { name: 'Settings' })
  for (let time = 0; time < 2; time++) {
    await settings.hover()
    await expect.element(tooltip).toHaveTextContent('Settings')
    await settings.click()
    await expect.element(page.getByRole('menu')).toBeVisible()
    await new Promise(resolve => setTimeout(resolve, 600))
    expect(document.querySelector('[role=tooltip]')).toBeNull()
    await page.getByTestId('tool-title').hover()
    await settings.hover()
    await new Promise(resolve => setTimeout(resolve, 600))
    expect(document.querySelector('[role=tooltip]')).toBeNull()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
    await page.getByTestId('tool-title').hover()
    await expect.poll(() => document.querySelector('[role=tooltip]')).toBeNull()
  }
})
