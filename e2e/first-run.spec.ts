/** The page without any source: one click to an example, or a dropped file. */
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expect, test } from './support/toolscope.ts'

test('first run: offers the examples, and opens one by a click', async ({ page }) => {
  const running = await startToolscope([], '/')
  await page.goto(running.urlOf('/'))
  await page.getByRole('button', { name: 'Open acme' }).click()
  await expect(page.locator('[data-tool="acme/api greet"]')).toBeVisible()
  await running.stop()
})

test('first run: adds a dropped manifest, and says that it does not recognise another dropped file', async ({
  page,
}) => {
  const running = await startToolscope([], '/')
  await page.goto(running.urlOf('/'))
  await expect(page.getByRole('heading', { name: 'No source yet' })).toBeVisible()
  const drop = async (name: string, text: string) => {
    const data = await page.evaluateHandle(
      ([fileName, fileText]) => {
        const transfer = new DataTransfer()
        transfer.items.add(new File([fileText ?? ''], fileName ?? '', { type: 'application/json' }))
        return transfer
      },
      [name, text],
    )
    await page.locator('main').dispatchEvent('drop', { dataTransfer: data })
  }
  await drop('mine.json', '{"tools":[{"name":"dropped","inputSchema":{"type":"object"}}]}')
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('A manifest of 1 tool')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.locator('[data-tool="mine/dropped"]')).toBeVisible()
  await drop('broken.json', '{"tools": [')
  await expect(page.getByText('Not recognised. Nothing was added.')).toBeVisible()
  await running.stop()
})
