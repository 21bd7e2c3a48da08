/** Generated tests in the page: what is sent, the findings of a server with faults, saved examples, and the scores. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { project } from '../scripts/project.mjs'
import { runToolscope, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations, expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, testServed } from './support/toolscope.ts'

const test = testServed(async folder => {
  const command = [process.execPath, project('e2e/support/faulty-server.mjs')]
  const sources = { faulty: { mcp: { command } } }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  return startToolscope(['--trust'], folder, { TOOLSCOPE_DATA_DIR: join(folder, '.data') })
})

const section = (page: Page) => page.getByTestId('generated-tests')
const outcome = (page: Page) => page.getByTestId('generated-outcome')
const finding = (page: Page, verdict: string) => page.locator(`[data-finding="${verdict}"]`)

async function callWithInputs(page: Page): Promise<void> {
  await section(page)
    .getByRole('button', { name: /^Call with \d+ inputs$/ })
    .click()
  await expect(outcome(page)).toBeVisible({ timeout: 60_000 })
}

test('generated tests: list the inputs, find the faults of a server, and save one as an example', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/?tool=faulty/careless&tab=examples'))
  await page.getByRole('button', { name: 'Generate tests' }).click()
  await expect(section(page)).toContainText(/\d+ inputs: \d+ that the schema allows, \d+ that it forbids/)
  await expect(section(page)).toContainText('declared read-only and not open-world')
  await page.getByText('List the inputs').click()
  await expect(page.getByRole('region', { name: 'Generated inputs' })).toContainText(
    '/count breaks maximum 50',
  )
  await expectNoViolationsWideAndNarrow(page, 'the plan of generated tests')

  await callWithInputs(page)
  await expect(outcome(page)).toContainText('% of the schema covered, seed 1')
  await expect(finding(page, 'accepted-silently')).toContainText('/count breaks maximum 50')
  await expect(finding(page, 'field-not-named').first()).toContainText('Something is wrong.')
  await expect(page.getByRole('region', { name: 'Contract score' })).toContainText('Refuses what it forbids')
  await expectNoViolationsWideAndNarrow(page, 'the report of generated tests')

  await finding(page, 'accepted-silently').getByRole('button', { name: 'Save as example' }).click()
  await expect(page.locator('[data-example^="accepted-silently"]')).toBeVisible()
  const saved = readdirSync(join(served.serverFolder, 'toolscope.examples/faulty/careless'))
  expect(saved).toHaveLength(1)
  await page.getByRole('button', { name: /^Run accepted-silently/ }).click()
  await expect(page.getByTestId('example-outcome')).toContainText('accepted-silently')

  // The report is still there after the input was tried in the form.
  await finding(page, 'accepted-silently').getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByTestId('tool-form').getByLabel('count')).toHaveValue('51')
  await page.getByRole('tab', { name: 'Examples' }).click()
  await expect(finding(page, 'accepted-silently')).toBeVisible()
})

test('generated tests: ask before a tool that is not declared read-only', async ({ page, served }) => {
  await page.goto(served.urlOf('/?tool=faulty/rename&tab=examples'))
  await page.getByRole('button', { name: 'Generate tests' }).click()
  await expect(section(page)).toContainText('This tool is not called by default')
  await expect(section(page).getByRole('button', { name: /^Call with/ })).toBeDisabled()
  await page.getByLabel('I accept this risk').check()
  await expectNoViolations(page, 'the confirmation of generated tests')
  await callWithInputs(page)
})

test('generated tests of a source: fill its table of scores, the catalog and an export', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/?about=faulty'))
  await page.getByRole('button', { name: 'Generate tests' }).click()
  await expect(section(page)).toContainText('1 tool not called by default')
  await callWithInputs(page)
  const table = page.getByRole('region', { name: 'Scores of the tools' })
  await expect(table.getByRole('row', { name: /careful 100/ })).toBeVisible()
  await expect(table.getByRole('rowheader').first()).toHaveText('careless')
  await table.getByRole('button', { name: 'Score' }).click()
  await expect(table.getByRole('rowheader').first()).toHaveText('careful')
  const row = page.locator('[data-testid="catalog-row"][data-tool="faulty/careful"]')
  await expect(row.getByRole('img', { name: 'contract score' })).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'contract scores of a source')

  const directory = served.serverFolder
  const environment = { TOOLSCOPE_DATA_DIR: join(directory, '.data') }
  const { code, stderr } = await runToolscope(['export', '--trust', '-o', 'site'], { directory, environment })
  expect(code, stderr).toBe(0)
  await page.goto(`${pathToFileURL(join(directory, 'site/index.html')).href}#/?about=faulty`)
  await expect(table.getByRole('row', { name: /careful 100/ })).toBeVisible()
  await expect(row.getByRole('img', { name: 'contract score' })).toBeVisible()
  await expect(section(page)).toHaveCount(0)
  await expectNoViolations(page, 'contract scores in an export')
})
