/** The history: what was called is kept, found again, repeated, compared and let go. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { acme, type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, testServed } from './support/toolscope.ts'

const test = testServed(folder =>
  startToolscope(['node', '--', acme], folder, { TOOLSCOPE_DATA_DIR: folder }),
)
// One store for all: the tests go on from one another.
test.describe.configure({ mode: 'serial' })

const rows = (page: Page) => page.getByRole('region', { name: 'Calls' }).getByRole('listitem')
/** Calls by the API and waits for the end of the answer: then it is in the history. */
const call = async (served: Running, ref: string, input: unknown) =>
  (await served.request('/api/invocations', { ref, input })).text()

test('history: finds a call of the form by its words, and opens it with its result', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/?tool=acme/api+greet'))
  await page.getByTestId('tool-form').getByLabel('name').fill('Ada')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-verdict')).toHaveText('output valid')
  await call(served, 'acme/legacy inventory', {})
  await call(served, 'acme/api greet', { nam: 1 })

  await page.getByTestId('tool-title').click()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(rows(page)).toHaveCount(3)
  await page.getByLabel('Find calls').fill('ada')
  await expect(rows(page)).toHaveCount(1)
  await rows(page).getByRole('button').first().click()
  await expect(page.getByRole('article', { name: 'Call of api greet' })).toContainText('"name": "Ada"')
  await expect(page.getByTestId('result-view')).toContainText('Good day, Ada')
  await expect(page.getByTestId('result-verdict')).toHaveText('output valid')

  await page.getByLabel('Find calls').fill('')
  await page.getByLabel('Status').selectOption('failed')
  await expect(rows(page)).toHaveCount(1)
  await page.getByLabel('Status').selectOption('')
  await page.getByLabel('Output validation').selectOption('invalid')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('legacy inventory')
  // The call was made, but it is not a plain "done".
  await expect(rows(page)).toContainText('output invalid')
  await rows(page).getByRole('button').first().click()
  const detail = page.getByRole('article', { name: 'Call of legacy inventory' })
  await expect(detail.getByText('output invalid', { exact: true })).toBeVisible()
  await expect(page.getByTestId('result-status')).toHaveText(/^exit 0 · output invalid \(\d+\)$/)
})

test('history: repeats a call as it was, or puts its input into the form', async ({ page, served }) => {
  await page.goto(served.urlOf('/history?text=ada'))
  await rows(page).getByRole('button').first().click()
  await page.getByRole('button', { name: 'Edit and repeat' }).click()
  await expect(page.getByTestId('tool-form').getByLabel('name')).toHaveValue('Ada')
  await page.goBack()
  await page.getByRole('button', { name: 'Repeat', exact: true }).click()
  // The result of the first call is still shown here. Leaving the page before the end would cancel the second one.
  await expect(page).not.toHaveURL(/history/)
  await expect(page.getByTestId('result-status')).toContainText('done')
  await expect(page.getByTestId('result-view')).toContainText('Good day, Ada')
  await page.goto(served.urlOf('/history?text=ada'))
  await expect(rows(page)).toHaveCount(2)
})

test('history: adds a new call to the open list, and lists each location where two calls differ', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/history?tool=acme/api+greet'))
  await expect(rows(page)).toHaveCount(3)
  await expect(page.getByRole('region', { name: 'Statistics of acme/api greet' })).toContainText('not done1')
  await call(served, 'acme/api greet', { name: 'Grace' })
  await expect(rows(page)).toHaveCount(4)
  await rows(page).first().getByRole('button').first().click()
  await rows(page).nth(1).getByRole('button', { name: 'Compare the open call' }).click()
  const compared = page.getByRole('article', { name: 'Two calls compared' })
  await expect(compared.getByRole('row', { name: '/name "Ada" "Grace"' })).toBeVisible()
  await expect(compared.getByRole('region', { name: 'Result' })).toContainText('/greeting')
})

test('history: keeps pinned calls when the rest is cleared, and exports all calls', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/history'))
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

test('history: has no axe violation, wide and narrow', async ({ page, served }) => {
  for (const name of ['Ada', 'Grace']) await call(served, 'acme/api greet', { name })
  await page.goto(served.urlOf('/history?tool=acme/api+greet'))
  await expect(rows(page).first()).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'list')
  await rows(page).first().getByRole('button').first().click()
  await expect(page.getByTestId('result-view')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'call')
})
