import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../testing/memory-backend.ts'
import { openPage } from '../testing/open-page.ts'

const trigger = page.getByTestId('copy-as')
const item = (index: number) => page.getByRole('menuitem').nth(index)

test.each(['Enter', ' ', 'ArrowDown'])(
  'menu: opens at its first item by the key “%s”, the first time and again',
  async key => {
    openPage(memoryBackend({ tools: ['get'] }), '/?tool=desk/get')
    await expect.element(trigger).toHaveAttribute('aria-expanded', 'false')
    expect(document.querySelector('[role=menu]')).toBeNull()
    for (let time = 0; time < 2; time++) {
      trigger.element().focus()
      await userEvent.keyboard(key === ' ' ? '[Space]' : `{${key}}`)
      await expect.element(item(0)).toHaveFocus()
      await expect.element(trigger).toHaveAttribute('aria-expanded', 'true')
      await userEvent.keyboard('{ArrowDown}')
      await expect.element(item(1)).toHaveFocus()
      await userEvent.keyboard('{Escape}')
      await expect.element(trigger).toHaveFocus()
    }
  },
)

test('menu: opens at its first item from the palette', async () => {
  openPage(memoryBackend({ tools: ['get'] }), '/')
  await expect.element(page.getByRole('tree')).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await page.getByRole('dialog').getByRole('combobox').fill('Settings')
  await expect
    .element(page.getByRole('option', { name: /^Settings/ }))
    .toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('menuitemradio').first()).toHaveFocus()
})

test('menu: opens by a press and closes by the next one', async () => {
  openPage(memoryBackend({ tools: ['get'] }), '/?tool=desk/get')
  for (let time = 0; time < 2; time++) {
    await trigger.click()
    await expect.element(page.getByRole('menu')).toBeVisible()
    await trigger.click()
    await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  }
})
