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
  await expect.element(page.getByRole('option', { name: /compare two/ })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toContain('/diff')
})

test('finds pages by the words people type, and lists what can be done with a tool', async () => {
  const address = await openPalette(['greet', 'history of greetings'])
  await userEvent.keyboard('compare changes')
  await expect.element(page.getByRole('option', { name: /Diff/ })).toHaveAttribute('aria-selected', 'true')
  await userEvent.clear(page.getByRole('combobox'))
  await userEvent.keyboard('theme')
  await expect.element(page.getByRole('option', { name: /Settings/ })).toBeVisible()
  await userEvent.clear(page.getByRole('combobox'))
  await userEvent.keyboard('greet')
  await expect.element(page.getByRole('option', { name: /^greet/ })).toHaveAttribute('aria-selected', 'true')
  await userEvent.keyboard('{Tab}')
  await expect.element(page.getByRole('option', { name: /Copy link/ })).toBeVisible()
  await userEvent.keyboard('schema{Enter}')
  await expect.poll(address).toContain('tool=desk/greet')
  await expect.poll(address).toContain('tab=schema')
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect
    .element(page.getByRole('option', { name: /^greet/ }).first())
    .toHaveAttribute('aria-selected', 'true')
})
