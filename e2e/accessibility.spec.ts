/** axe with every WCAG 2.2 A and AA rule, as hard failures, in both themes and at two widths. */

import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

for (const width of [1440, 375]) {
  test(`the workbench at ${width} px`, async ({ page, toolscope }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(toolscope.urlOf('/'))
    await expect(page.getByTestId('catalog-row').first()).toBeVisible()
    await expectNoViolations(page, 'catalog')
    for (const [ref, isInvalid] of [
      ['acme/api deploy', true],
      ['acme/legacy inventory', false],
      ['acme/people suspend', true],
    ] as const) {
      await page.goto(`${toolscope.origin}/?tool=${encodeURIComponent(ref)}`)
      await expect(page.getByTestId('tool-form')).toBeVisible()
      await expectNoViolations(page, `${ref}: form`)
      await page.getByTestId('call-button').click()
      if (isInvalid) await page.getByRole('button', { name: 'Send anyway' }).click()
      await expect(page.getByTestId('result-status')).toBeVisible()
      await expectNoViolations(page, `${ref}: result`)
    }
    await page.getByRole('tab', { name: 'Schema' }).click()
    await expectNoViolations(page, 'schema')
    await page.getByTestId('json-tab').click()
    await expect(page.locator('.monaco-editor').first()).toBeVisible()
    await expectNoViolations(page, 'json')
  })
}

test('the empty page', async ({ page }) => {
  const running = await startToolscope([], '/')
  await page.goto(running.urlOf('/'))
  await expect(page.getByRole('button', { name: 'Open acme' })).toBeVisible()
  await expectNoViolations(page, 'first run')
  await running.stop()
})
