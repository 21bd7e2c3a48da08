/** axe with every WCAG 2.2 A and AA rule, as hard failures, in both themes and at two widths. */
import { expectNoViolations } from './support/axe.ts'
import { expect, startToolscope, test } from './support/toolscope.ts'

for (const width of [1440, 375]) {
  test(`the workbench at ${width} px`, async ({ browser, toolscope }) => {
    // axe walks the whole editor; two workers share two cores.
    test.setTimeout(150_000)
    const context = await browser.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    await page.goto(toolscope.url)
    await expect(page.getByTestId('catalog-row').first()).toBeVisible()
    await expectNoViolations(page, 'catalog')
    for (const ref of ['acme/api deploy', 'acme/legacy inventory', 'acme/people suspend']) {
      await page.goto(`${toolscope.origin}/?tool=${encodeURIComponent(ref)}`)
      await expect(page.getByTestId('tool-form')).toBeVisible()
      await expectNoViolations(page, `${ref}: form`)
      await page.getByTestId('call-button').click()
      await page.waitForTimeout(300)
      const sendAnyway = page.getByRole('button', { name: 'Send anyway' })
      if (await sendAnyway.isVisible()) await sendAnyway.click()
      await expect(page.getByTestId('result-status')).toBeVisible()
      await expectNoViolations(page, `${ref}: result`)
    }
    await page.getByRole('tab', { name: 'Schema' }).click()
    await expectNoViolations(page, 'schema')
    await page.getByTestId('json-tab').click()
    await expect(page.locator('.monaco-editor').first()).toBeVisible()
    await expectNoViolations(page, 'json')
    await context.close()
  })
}

test(`the empty page`, async ({ browser }) => {
  const running = await startToolscope([], '/')
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(running.url)
  await expect(page.getByRole('button', { name: 'Open acme' })).toBeVisible()
  await expectNoViolations(page, 'first run')
  await context.close()
  await running.stop()
})
