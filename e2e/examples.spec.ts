/** Examples in the page: saved next to the configuration, loaded, run, expected, deleted with a way back. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { shopOf } from '../scripts/check-project.testkit.ts'
import { acme, type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations, expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { test as base, expect } from './support/toolscope.ts'

const test = base.extend<{ running: Running; shop: Running }>({
  running: async ({ folder }, use) => {
    const sources = { acme: { command: ['node', acme] } }
    writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
    const running = await startToolscope(['--trust'], folder, { TOOLSCOPE_DATA_DIR: join(folder, '.data') })
    await use(running)
    await running.stop()
  },
  shop: async ({ folder }, use) => {
    const { write, example } = shopOf(folder)
    example('order', 'plain', {})
    example('save', 'saves', {})
    example('wipe', 'wipes', {})
    write('toolscope.masks.json', '{"masks":[{"path":"/id"},{"path":"/**/at"}]}')
    const shop = await startToolscope(['--trust'], folder, { TOOLSCOPE_DATA_DIR: join(folder, '.data') })
    await use(shop)
    await shop.stop()
  },
})

const tab = (page: Page) => page.getByRole('tab', { name: 'Examples' })
const row = (page: Page, name: string) => page.locator(`[data-example="${name}"]`)

async function openTool(page: Page, running: Running, ref: string): Promise<void> {
  await page.goto(running.urlOf('/'))
  await page.locator(`[data-testid="catalog-row"][data-tool="${ref}"]`).click()
  await expect(page.getByTestId('tool-form')).toBeVisible()
}

test('examples: save inputs by keys alone, and run all by one press', async ({ page, folder, running }) => {
  await openTool(page, running, 'acme/api greet')
  const name = page.getByTestId('tool-form').getByLabel('name')
  for (const [index, value] of ['Ada', 'Grace'].entries()) {
    await name.fill(value)
    await page.keyboard.press('Control+s')
    await expect(page.getByLabel('Name', { exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.locator('[data-example]')).toHaveCount(index + 1)
    await page.getByTestId('form-tab').click()
  }
  const file = join(folder, 'toolscope.examples/acme/api greet/example-2.json')
  writeFileSync(file, '{"name":"example 2","input":{"name":"Grace"},"expect":{"fails":true}}')
  await tab(page).click()
  await expect(page.getByLabel('Name', { exact: true })).not.toBeFocused()
  await page.getByRole('button', { name: 'Run all' }).click()
  await expect(page.getByTestId('examples-outcome')).toHaveText('1 passed, 1 failed')
  await expect(row(page, 'example 1').getByTestId('example-outcome')).toContainText('passed')
  await expect(row(page, 'example 2').getByTestId('example-outcome')).toContainText('expected to fail')
})

test('examples: save, load, expect the last result, report a difference, and undo a replacement or deletion', async ({
  page,
  folder,
  running,
}) => {
  await openTool(page, running, 'acme/api greet')
  await page.getByTestId('tool-form').getByLabel('name').fill('Ada')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-verdict')).toHaveText('output valid')
  await page.getByRole('toolbar').getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Save as example' }).click()
  await page.getByLabel('Name', { exact: true }).fill('greets Ada')
  await page.getByLabel('Note').fill('the first one')
  await page.getByRole('button', { name: 'Save current input' }).click()
  await expect(row(page, 'greets Ada')).toContainText('any good result')

  const file = join(folder, 'toolscope.examples/acme/api greet/greets-ada.json')
  expect(readFileSync(file, 'utf8')).toBe(
    '{\n  "name": "greets Ada",\n  "note": "the first one",\n  "input": {\n    "name": "Ada"\n  }\n}\n',
  )
  await page.getByRole('button', { name: 'Expected result of greets Ada' }).click()
  await page.getByRole('menuitem', { name: 'The last result, exactly' }).click()
  await expect(row(page, 'greets Ada')).toContainText('exactly this result')
  await page.getByRole('button', { name: 'Run greets Ada' }).click()
  await expect(row(page, 'greets Ada').getByTestId('example-outcome')).toContainText('passed')

  // Edited on disk: read again when it is shown again.
  writeFileSync(file, readFileSync(file, 'utf8').replace('Good day', 'Good night'))
  await page.getByRole('button', { name: 'Run greets Ada' }).click()
  await expect(row(page, 'greets Ada').getByTestId('example-outcome')).toContainText('/greeting')
  await expect(row(page, 'greets Ada').getByTestId('example-outcome')).toContainText('Good night')

  await page.getByTestId('form-tab').click()
  const name = page.getByTestId('tool-form').getByLabel('name')
  await name.fill('Grace')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-view')).toContainText('Grace')
  await tab(page).click()
  await page.getByRole('button', { name: 'Expected result of greets Ada' }).click()
  await expect(page.getByRole('menuitem', { name: 'The last result, exactly' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'greets Ada', exact: true }).click()
  await expect(name).toHaveValue('Ada')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(name).toHaveValue('Grace')
  await tab(page).click()
  await page.getByLabel('Name', { exact: true }).fill('greets Ada')
  await page.getByRole('button', { name: 'Replace' }).click()
  await expect(row(page, 'greets Ada')).toContainText('any good result')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'greets Ada')).toContainText('exactly this result')
  await page.getByRole('button', { name: 'Delete greets Ada' }).click()
  await expect(row(page, 'greets Ada')).toHaveCount(0)
  expect(readdirSync(join(folder, 'toolscope.examples/acme'))).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'greets Ada')).toContainText('exactly this result')
})

test('examples: keep secrets out of their files, appear from disk, and show the path of a broken file', async ({
  page,
  folder,
  running,
}) => {
  const headers = { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' }
  await fetch(`${running.origin}/api/examples`, {
    method: 'PUT',
    headers,
    body: JSON.stringify({
      ref: 'acme/status',
      text: '{"name":"all","input":{"password":"hunter2","n":1.50}}',
    }),
  })
  const path = join(folder, 'toolscope.examples/acme/status')
  expect(readFileSync(join(path, 'all.json'), 'utf8')).not.toContain('hunter2')
  expect(readFileSync(join(path, 'all.json'), 'utf8')).toContain('1.50')
  writeFileSync(join(path, 'broken.json'), '{')
  await page.goto(running.urlOf('/?tool=acme/status&tab=examples'))
  await expect(row(page, 'all')).toBeVisible()
  await expect(page.getByText('toolscope.examples/acme/status/broken.json')).toBeVisible()
  await expectNoViolations(page, 'examples')
  await page.setViewportSize({ width: 375, height: 800 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await expectNoViolations(page, 'examples, narrow')
})

test('results comparison: lists the pairs of two sources, and shows both answers side by side', async ({
  page,
  shop,
}) => {
  await page.goto(shop.urlOf('/?tool=shop/order&tab=examples'))
  await page.getByRole('link', { name: 'Compare two sources’ results' }).click()
  await expect(page.getByLabel('First')).toHaveValue('shop')
  await page.getByLabel('Second').selectOption('staging')
  await page.getByRole('button', { name: 'Compare', exact: true }).click()

  const detail = page.getByRole('article')
  await expect(page.getByTestId('compare-counts')).toHaveText('1 different · 2 skipped')
  await expect(detail.getByRole('row', { name: '/lines/0/total 1 2' })).toBeVisible()
  await expect(detail.getByRole('row')).toHaveCount(2)
  await expect(detail.locator('[data-json-diff]')).toContainText('"total": 2')
  await expectNoViolationsWideAndNarrow(page, 'compared')

  await page.keyboard.press('j')
  await expect(detail).toContainText('it does not say that it only reads')
  await page.getByLabel('Include tools that write').check()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page.getByTestId('compare-counts')).toHaveText('2 different · 1 skipped')
  await expect(page.getByRole('region', { name: 'Pairs' }).getByRole('button')).toHaveText([
    'orderplaindifferent',
    'savesavesdifferent',
    'wipewipesskipped',
  ])

  await page.setViewportSize({ width: 390, height: 800 })
  await page.getByRole('button', { name: 'All pairs' }).click()
  await page.getByRole('button', { name: 'order plain different' }).click()
  await expect(detail.getByRole('row', { name: '/lines/0/total 1 2' })).toBeVisible()
  await expectNoViolations(page, 'one pair, narrow')
})
