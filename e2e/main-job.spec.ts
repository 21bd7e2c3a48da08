/** The main job as a user does it: open, search, fill, call, read the verdict. */

import type { Page } from '@playwright/test'
import { limitNow } from '../scripts/test-processes.ts'
import type { Running } from '../scripts/toolscope-program.ts'
import { expect, test } from './support/toolscope.ts'

const row = (page: Page, ref: string) => page.locator(`[data-testid="catalog-row"][data-tool="${ref}"]`)

async function openTool(page: Page, toolscope: Running, ref: string): Promise<void> {
  await page.goto(toolscope.urlOf('/'))
  await row(page, ref).click()
  await expect(page.getByTestId('tool-form')).toBeVisible()
}

test('main job: finds a tool, fills its form, calls it and shows that the output is valid', async ({
  page,
  toolscope,
}) => {
  await page.goto(toolscope.urlOf('/'))
  expect(page.url()).not.toContain('token')
  await expect(page.getByTestId('catalog-count')).toHaveText(/16 of 16/)
  await page.getByTestId('catalog-search').fill('greet')
  await expect(page.getByTestId('catalog-row').and(page.locator('[data-tool]'))).toHaveCount(1)
  await row(page, 'acme/api greet').click()
  await expect(page.getByTestId('tool-title')).toHaveText('api greet')
  await page.getByTestId('tool-form').getByLabel('name').fill('Ada')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-verdict')).toHaveText('output valid')
  await expect(page.getByTestId('result-status')).toContainText('exit 0')
  await expect(page.getByTestId('result-view')).toContainText('Ada')
})

test('main job: shows an output that breaks its schema, with the verdict and what is wrong', async ({
  page,
  toolscope,
}) => {
  await openTool(page, toolscope, 'acme/legacy inventory')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-status')).toHaveText(/^exit 0 · output invalid \(\d+\)$/)
  await expect(page.getByTestId('result-view')).toContainText('hermes')
  await expect(page.getByTestId('result-view')).toContainText('expected boolean, got string "yes"')
})

test('main job: shows one input in the Form and JSON tabs', async ({ page, toolscope }) => {
  await openTool(page, toolscope, 'acme/api greet')
  await page.getByTestId('tool-form').getByLabel('name').fill('Grace')
  await page.getByTestId('json-tab').click()
  await expect(page.locator('.monaco-editor').first()).toContainText('Grace')
  await page.getByTestId('form-tab').click()
  await expect(page.getByTestId('tool-form').getByLabel('name')).toHaveValue('Grace')
})

test('main job: keeps the open tool and its input over a reload', async ({ page, toolscope }) => {
  await openTool(page, toolscope, 'acme/api greet')
  await page.getByTestId('tool-form').getByLabel('name').fill('Edsger')
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).toContain('Edsger')
  await page.reload()
  await expect(page.getByTestId('tool-title')).toHaveText('api greet')
  await expect(page.getByTestId('tool-form').getByLabel('name')).toHaveValue('Edsger')
})

test('main job: shows the last result with its age after a reload', async ({ page, toolscope }) => {
  await openTool(page, toolscope, 'acme/legacy inventory')
  await expect(page.getByTestId('result-panel')).toContainText('No result yet')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-status')).toHaveText(/^exit 0 · output invalid \(\d+\)$/)
  await page.reload()
  await expect(page.getByTestId('result-earlier')).toHaveText('just now')
  await expect(page.getByTestId('result-status')).toHaveText(/^exit 0 · output invalid \(\d+\)$/)
  await expect(page.getByTestId('result-view')).toContainText('expected integer, got string "8"')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-earlier')).toHaveCount(0)
  await page.goto(toolscope.urlOf('/?tool=acme/api+greet'))
  await expect(page.getByTestId('result-panel')).toContainText('No result yet')
})

test('main job: ends the process of a call that is cancelled', async ({ page, toolscope }) => {
  await openTool(page, toolscope, 'acme/ops logs')
  await page.getByRole('button', { name: 'Fill example' }).click()
  await page.getByTestId('json-tab').click()
  await page.getByTestId('form-tab').click()
  await page.getByTestId('tool-form').getByLabel('seconds').fill('30')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('cancel-button')).toBeVisible()
  const children = () => childrenOf(toolscope.process.pid ?? 0)
  await expect.poll(children).toBeGreaterThan(0)
  await page.getByTestId('cancel-button').click()
  await expect(page.getByTestId('result-status')).toContainText(/cancel/i)
  await expect.poll(children, { timeout: limitNow(2_000) }).toBe(0)
})

test('main job: works with keys alone', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/'))
  await expect(row(page, 'acme/api greet')).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('greet')
  await expect(page.getByTestId('catalog-count')).toHaveText(/1 of 16/)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('tool-form')).toBeVisible()
  await expect(page.getByTestId('tool-form').getByLabel('name')).toBeFocused()
  await page.keyboard.type('Barbara')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByTestId('result-view')).toContainText('Barbara')
})

test('main job: keeps the page usable after a result of five megabytes', async ({ page, toolscope }) => {
  await openTool(page, toolscope, 'acme/billing export')
  await page.getByRole('button', { name: 'Fill example' }).click()
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-panel')).toContainText(/output (in)?valid/)
  await page.getByTestId('catalog-search').fill('greet')
  await expect(page.getByTestId('catalog-count')).toHaveText(/1 of 16/)
})

/** Running processes whose parent is `pid`. */
async function childrenOf(pid: number): Promise<number> {
  const { readdirSync, readFileSync } = await import('node:fs')
  return readdirSync('/proc').filter(entry => {
    try {
      const stat = /^\d+$/.test(entry) ? readFileSync(`/proc/${entry}/stat`, 'latin1') : ''
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(parent) === pid && state !== 'Z'
    } catch {
      return false
    }
  }).length
}
