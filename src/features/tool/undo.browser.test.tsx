import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { memoryBackend } from '../../testing/memory-backend.ts'
import { openPage } from '../../testing/open-page.ts'

const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

test('undo: restores an input that was replaced as a whole, until the next change', async () => {
  openPage(memoryBackend({ tools: [{ name: 'replaced', inputSchema }] }), '/?tool=desk/replaced')
  const city = page.getByTestId('tool-form').getByRole('textbox', { name: 'city', exact: true })
  const undo = page.getByRole('button', { name: 'Undo' })
  await city.fill('Oslo')
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Reset' }).click()
  await expect.element(city).toHaveValue('')
  await undo.click()
  await expect.element(city).toHaveValue('Oslo')
  expect(document.activeElement).toBe(page.getByTestId('brief').element())
  await page.getByRole('button', { name: 'Fill example' }).click()
  await expect.element(city).not.toHaveValue('Oslo')
  await expect.element(undo).toBeVisible()
  await city.fill('Bergen')
  await expect.element(undo).not.toBeInTheDocument()
})
