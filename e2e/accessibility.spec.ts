/** axe with every WCAG 2.2 A and AA rule, as hard failures, in both themes and at two widths. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { acme, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations, expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

/** Opens a tool by the list, looks at its form, calls it and looks at the result. */
async function expectToolWithoutBarrier(page: Page, ref: string, isInvalid = false): Promise<void> {
  await page.locator(`[data-tool="${ref}"]`).click()
  await expect(page.getByTestId('tool-title')).toHaveText(ref.slice('acme/'.length))
  await expect(page.getByTestId('tool-form')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, `${ref}: form`)
  await page.getByTestId('call-button').click()
  if (isInvalid) await page.getByRole('button', { name: 'Send anyway' }).click()
  await expect(page.getByTestId('result-status')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, `${ref}: result`)
}

test('the catalog, and a tool with an invalid input', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/'))
  await expect(page.getByTestId('catalog-row').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Try an example' })).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'catalog and start')
  await expectToolWithoutBarrier(page, 'acme/api deploy', true)
})

test('an invalid output, and a call that fails', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/'))
  await expectToolWithoutBarrier(page, 'acme/legacy inventory')
  await expectToolWithoutBarrier(page, 'acme/people suspend', true)
})

test('the schema and the input as JSON', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/?tool=acme/people+suspend'))
  await page.getByRole('tab', { name: 'Schema' }).click()
  await expectNoViolationsWideAndNarrow(page, 'schema')
  await page.getByTestId('json-tab').click()
  await expect(page.locator('.monaco-editor').first()).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'json')
})

test('the empty page', async ({ page }) => {
  const running = await startToolscope([], '/')
  await page.goto(running.urlOf('/'))
  await expect(page.getByRole('button', { name: 'Open acme' })).toBeVisible()
  await expectNoViolations(page, 'first run')
  await running.stop()
})

test('in forced colours one tab and one row look chosen, health has a shape, and focus is seen', async ({
  page,
  folder,
}) => {
  const config = {
    sources: { acme: { command: ['node', acme] }, broken: { command: ['node', 'nothing.mjs'] } },
  }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify(config))
  const running = await startToolscope(['--config', join(folder, 'toolscope.json')])
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(running.urlOf('/?tool=acme/api+greet'))
  const tabs = page.getByRole('tablist', { name: 'Input' }).getByRole('tab')
  await expect(tabs.first()).toBeVisible()
  const looks = await tabs.evaluateAll(found => found.map(tab => getComputedStyle(tab).borderBottomColor))
  expect(new Set(looks).size).toBe(2)
  expect(looks.filter(look => look === looks[0])).toHaveLength(1)
  const rows = page.getByRole('treeitem')
  const lines = await rows.evaluateAll(found => found.map(row => getComputedStyle(row).borderLeftColor))
  expect(lines.filter(line => line !== lines[0])).toHaveLength(1)
  await expect(page.getByRole('button', { name: 'broken failed' })).toBeVisible()
  const shape = (name: string) =>
    page
      .locator(`nav [data-source="${name}"] [data-tone]`)
      .first()
      .evaluate(dot => [getComputedStyle(dot).borderRadius, getComputedStyle(dot).borderTopStyle].join(' '))
  expect(await Promise.all([shape('acme'), shape('broken')])).toEqual(['50% solid', '0px solid'])
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(
    () => document.activeElement && getComputedStyle(document.activeElement).outlineStyle,
  )
  expect(outline).toBe('solid')
  await running.stop()
})
