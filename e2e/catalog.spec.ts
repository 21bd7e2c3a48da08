/** The catalog list beside the open tool. */
import { expect, project, startToolscope, test } from './support/toolscope.ts'

test('a tool that is opened by its URL stands in sight in the list', async ({ page }) => {
  const running = await startToolscope([project('server/sources/fixtures/many-tools.mjs')])
  await page.goto(running.url)
  const { tools } = await page.evaluate(async () => (await fetch('/api/tools?q=&limit=1000')).json())
  const { ref } = tools.at(-1)
  await page.goto(`${running.origin}/?tool=${encodeURIComponent(ref)}`)
  await expect(page.locator(`[data-testid="catalog-row"][data-tool="${ref}"]`)).toBeInViewport()
  await running.stop()
})
