import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../testing/memory-backend.ts'
import { openPage } from '../testing/open-page.ts'

const settings = page.getByRole('button', { name: 'Settings' })
const dialog = page.getByRole('dialog')

test.each(['{Control>}k{/Control}', '?'])(
  'dialog: gives the focus back after it was opened by “%s”',
  async keys => {
    openPage(memoryBackend({ tools: ['get'] }), '/')
    await expect.element(page.getByRole('tree')).toBeVisible()
    settings.element().focus()
    await userEvent.keyboard(keys)
    await expect.element(dialog).toBeVisible()
    await expect.poll(() => dialog.element().contains(document.activeElement)).toBe(true)
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(settings).toHaveFocus()
  },
)

test('dialog: gives the focus to the button of the menu that opened it', async () => {
  openPage(memoryBackend({ tools: ['get'] }), '/')
  await settings.click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect.element(dialog).toBeVisible()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  await expect.element(settings).toHaveFocus()
})
