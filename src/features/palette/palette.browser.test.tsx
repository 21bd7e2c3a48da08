import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

async function openPalette(tools: readonly string[]) {
  const address = openPage(memoryBackend({ tools }), '/')
  await expect.element(page.getByTestId('catalog-count')).toHaveTextContent(/\d of \d/)
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(page.getByPlaceholder('Search or jump to…')).toHaveFocus()
  return address
}

test('finds a tool by its words and opens it by keys alone', async () => {
  const address = await openPalette(['greet', 'deploy'])
  await userEvent.keyboard('depl')
  await expect.element(page.getByRole('option', { name: /deploy/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toContain('tool=desk/deploy')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('offers a shortcut by its title, and runs it', async () => {
  const address = await openPalette(['greet'])
  await userEvent.keyboard('compare two')
  await expect.element(page.getByRole('option', { name: /Compare two/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toContain('/diff')
})
