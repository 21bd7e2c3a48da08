/** Everything that a published MCP server offers: besides its tools its prompts, resources and templates. */
import type { Page } from '@playwright/test'
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations, expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, publishedServer, testServed } from './support/toolscope.ts'

const test = testServed(folder =>
  startToolscope([`mcp:${process.execPath} ${publishedServer('server-everything')} stdio`], folder, {
    TOOLSCOPE_DATA_DIR: folder,
  }),
)

const row = (page: Page, ref: string) => page.locator(`[data-tool="server-everything/${ref}"]`)
const button = (page: Page) => page.getByTestId('call-button')
const result = (page: Page) => page.getByTestId('result-view')
/** A field with suggestions is a combobox. */
function field(page: Page, name: string) {
  const form = page.getByTestId('tool-form')
  return form
    .getByRole('textbox', { name, exact: true })
    .or(form.getByRole('combobox', { name, exact: true }))
}

async function find(page: Page, words: string, ref: string): Promise<void> {
  await page.getByTestId('catalog-search').fill(words)
  await row(page, ref).click()
}

/** Calls a tool as the page does, without leaving what is open. */
const call = (page: Page, ref: string) =>
  page.evaluate(
    async body => {
      const headers = { 'Content-Type': 'application/json' }
      const answer = await fetch('/api/invocations', { method: 'POST', headers, body })
      return answer.text()
    },
    JSON.stringify({ ref, input: {} }),
  )

test('catalog: finds, opens, reads and follows the prompts, resources and templates of an MCP server', async ({
  page,
  served,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(served.urlOf('/'))
  await expect(page.getByTestId('catalog-count')).toHaveText('32 of 32')
  for (const heading of ['Prompts 4', 'Resources 7', 'Resource templates 2'])
    await expect(page.getByRole('treeitem', { name: heading, exact: true })).toBeAttached()

  await find(page, 'args', 'prompts/args-prompt')
  await expect(page.getByTestId('tool-title')).toHaveText('args-prompt')
  await button(page).click()
  await expect(page.getByText('1 problem')).toBeVisible()
  await field(page, 'city').fill('Bonn')
  await expect(button(page)).toContainText('Get prompt')
  await button(page).click()
  await expect(result(page).getByRole('heading', { name: 'user' })).toBeVisible()
  await expect(result(page)).toContainText("What's weather in Bonn?")
  await expectNoViolationsWideAndNarrow(page, 'a prompt with its messages')

  await find(page, 'completable', 'prompts/completable-prompt')
  await field(page, 'department').pressSequentially('Eng')
  await expect(page.locator('datalist option')).toHaveAttribute('value', 'Engineering')
  await field(page, 'department').fill('Engineering')
  await field(page, 'name').pressSequentially('A')
  await expect(page.locator('datalist option[value="Alice"]')).toBeAttached()

  await find(page, 'demo static startup', 'resources/demo://resource/static/document/startup.md')
  await expect(page).toHaveURL(
    /tool=server-everything\/resources\/demo:\/\/resource\/static\/document\/startup\.md/,
  )
  await button(page).click()
  await expect(result(page)).toContainText('Startup Process')
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page.getByText('Its server reports every change.')).toBeVisible()
  await call(page, 'server-everything/toggle-subscriber-updates')
  await expect(page.getByText(/^Changed at .*; it was read again\.$/)).toBeVisible()
  await expectNoViolations(page, 'a resource that changed')
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await expect(page.getByRole('button', { name: 'Subscribe', exact: true })).toBeVisible()

  await find(page, 'blob', 'templates/demo://resource/dynamic/blob/{resourceId}')
  await field(page, 'resourceId').fill('7')
  await button(page).click()
  await expect(result(page).getByRole('link', { name: /^Save 7/ })).toBeVisible()
  // Its address is its own: the same is there after a reload.
  await page.reload()
  await expect(page.getByTestId('tool-title')).toHaveText('Dynamic Blob Resource')
  await expect(field(page, 'resourceId')).toHaveValue('7')

  // A link in a result opens the resource, or the template that makes its address.
  await page.goto(served.urlOf('/?tool=server-everything/get-resource-links'))
  await button(page).click()
  await result(page).getByRole('button', { name: 'Blob Resource 1' }).click()
  await expect(page.getByTestId('tool-title')).toHaveText('Dynamic Blob Resource')
  await expect(field(page, 'resourceId')).toHaveValue('1')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(field(page, 'resourceId')).toHaveValue('7')

  await page.goto(served.urlOf('/?about=server-everything'))
  const offers = page.getByTestId('server-offers')
  await expect(offers).toContainText('4 prompts · 7 resources · 2 resource templates')
  await expect(offers).toContainText('resources · subscribe · listChanged')
  await expect(page.getByRole('region', { name: 'Instructions' })).toContainText('Everything Server')
  await expectNoViolations(page, 'the page of a server')
})
