/** The history: what was called is kept, found again, repeated, compared and let go. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './support/axe.ts'
import { expect, project, type Running, startToolscope, test } from './support/toolscope.ts'

test.describe.configure({ mode: 'serial' })

let running: Running
let folder: string

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolscope-history-'))
  const environment = { ...process.env, TOOLSCOPE_DATA_DIR: folder }
  const acme = ['node', '--', project('examples/acme/acme.mjs')]
  running = await startToolscope(acme, project('.'), environment)
})

test.afterAll(async () => {
  await running.stop()
  rmSync(folder, { recursive: true, force: true })
})

const rows = (page: Page) => page.getByRole('region', { name: 'Calls' }).getByRole('listitem')
const call = (page: Page, ref: string, input: unknown) =>
  page.request.post(`${running.origin}/api/invocations`, {
    data: { ref, input },
    headers: { authorization: `Bearer ${running.token}` },
  })

test('a call from the form is found by its words, and opens with its result', async ({ page }) => {
  await page.goto(running.url)
  await page.goto(`${running.origin}/?tool=${encodeURIComponent('acme/api greet')}`)
  await page.getByTestId('tool-form').getByLabel('name').fill('Ada')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-verdict')).toHaveText('valid')
  await call(page, 'acme/legacy inventory', {})
  await call(page, 'acme/api greet', { nam: 1 })

  await page.getByTestId('tool-title').click()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(rows(page)).toHaveCount(3)
  await page.getByLabel('Find calls').fill('ada')
  await expect(rows(page)).toHaveCount(1)
  await rows(page).getByRole('button').first().click()
  await expect(page.getByRole('article', { name: 'Call of api greet' })).toContainText('"name": "Ada"')
  await expect(page.getByTestId('result-view')).toContainText('Good day, Ada')
  await expect(page.getByTestId('result-verdict')).toHaveText('valid')

  await page.getByLabel('Find calls').fill('')
  await page.getByLabel('How it ended').selectOption('failed')
  await expect(rows(page)).toHaveCount(1)
  await page.getByLabel('How it ended').selectOption('')
  await page.getByLabel('Verdict of the output').selectOption('invalid')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('legacy inventory')
})

test('a call is repeated as it was, or with its input in the form', async ({ page }) => {
  await page.goto(running.url)
  await page.goto(`${running.origin}/history?text=ada`)
  await rows(page).getByRole('button').first().click()
  await page.getByRole('button', { name: 'Edit and repeat' }).click()
  await expect(page.getByTestId('tool-form').getByLabel('name')).toHaveValue('Ada')
  await page.goBack()
  await page.getByRole('button', { name: 'Repeat', exact: true }).click()
  await expect(page.getByTestId('result-view')).toContainText('Good day, Ada')
  await page.goto(`${running.origin}/history?text=ada`)
  await expect(rows(page)).toHaveCount(2)
})

test('a new call appears in the open list, and two are compared place by place', async ({ page }) => {
  await page.goto(running.url)
  await page.goto(`${running.origin}/history?tool=${encodeURIComponent('acme/api greet')}`)
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByRole('region', { name: 'Statistics of acme/api greet' })).toContainText('not done1')
  await call(page, 'acme/api greet', { name: 'Grace' })
  await expect(rows(page)).toHaveCount(4)
  await rows(page).first().getByRole('button').first().click()
  await rows(page).nth(1).getByRole('button', { name: 'Compare the open call' }).click()
  const compared = page.getByRole('article', { name: 'Two calls compared' })
  await expect(compared.getByRole('row', { name: '/name "Ada" "Grace"' })).toBeVisible()
  await expect(compared.getByRole('region', { name: 'Result' })).toContainText('/greeting')
})

test('pinned calls stay when the rest is cleared, and all can be exported', async ({ page }) => {
  await page.goto(running.url)
  await page.goto(`${running.origin}/history`)
  await expect(rows(page)).toHaveCount(5)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export' }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
  expect(lines.map(line => JSON.parse(line).tool).sort()).toEqual([
    ...Array(4).fill('api greet'),
    'legacy inventory',
  ])
  await rows(page).last().getByRole('button').first().click()
  await page.getByRole('button', { name: /^Pin:/ }).click()
  await expect(page.getByRole('button', { name: /^Unpin/ })).toBeVisible()
  await rows(page).nth(1).getByRole('button').first().click()
  await page.getByRole('button', { name: 'Delete this call' }).click()
  await expect(rows(page)).toHaveCount(4)
  await page.getByRole('button', { name: 'Clear…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(rows(page)).toHaveCount(1)
})

test('accessible, wide and narrow', async ({ browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(running.url)
  for (const name of ['Ada', 'Grace']) await call(page, 'acme/api greet', { name })
  for (const width of [1440, 375]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${running.origin}/history?tool=${encodeURIComponent('acme/api greet')}`)
    await expect(rows(page).first()).toBeVisible()
    await expectNoViolations(page, `list at ${width}`)
    await rows(page).first().getByRole('button').first().click()
    await expect(page.getByTestId('result-view')).toBeVisible()
    await expectNoViolations(page, `call at ${width}`)
  }
  await context.close()
})
