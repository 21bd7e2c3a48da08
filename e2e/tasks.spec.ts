/** Calls that their MCP server makes tasks of, answers of a "language model", and what a server receives. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from '@playwright/test'
import { project } from '../scripts/project.mjs'
import { type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, publishedServer, testServed } from './support/toolscope.ts'

let gate: string

async function serve(folder: string): Promise<Running> {
  const file = join(folder, 'mcp.json')
  const command = process.execPath
  gate = join(folder, 'tasks')
  mkdirSync(gate)
  const fixture = project('server/sources/fixtures/mcp-tasks.mjs')
  writeFileSync(
    file,
    JSON.stringify({
      mcpServers: {
        everything: { command, args: [publishedServer('server-everything'), 'stdio'] },
        tasks: { command, args: [fixture, 'legacy', gate] },
      },
    }),
  )
  return startToolscope([file])
}

const test = testServed(serve)
const card = (page: Page) => page.getByTestId('question')
const result = (page: Page) => page.getByTestId('result-view')
const task = (page: Page) => page.getByTestId('task')

test('task: shows its state, asks its question, and ends with its result', async ({ page, served }) => {
  await page.goto(served.urlOf('/?tool=everything/simulate-research-query'))
  await page.getByTestId('tool-form').getByRole('textbox', { name: 'topic' }).fill('tides')
  await page.getByTestId('tool-form').getByRole('radio', { name: 'true' }).check()
  await page.getByTestId('call-button').click()
  await expect(task(page)).toContainText('working')
  await expect(task(page)).toContainText('the server keeps it for 5 min')
  await expect(card(page)).toContainText('could have multiple interpretations')
  await expectNoViolationsWideAndNarrow(page, 'a task that asks')
  await card(page).getByRole('combobox').selectOption({ label: 'Technical/scientific perspective' })
  await card(page).getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(result(page)).toContainText('Research Report: tides (technical)')
  await expect(task(page)).toContainText('completed')
})

test('task: is cancelled at its server by Cancel', async ({ page, served }) => {
  await page.goto(served.urlOf('/?tool=tasks/endless'))
  await page.getByTestId('call-button').click()
  await expect(task(page)).toContainText('still at it')
  await page.getByTestId('cancel-button').click()
  await expect(page.getByTestId('result-status')).toHaveText('cancelled')
  await expect(page.getByTestId('result-panel')).toContainText('The server cancelled its task')
})

test('task: outlives the page, and the history gets its result', async ({ page, served }) => {
  await page.goto(served.urlOf('/?tool=tasks/gate'))
  await page.getByTestId('call-button').click()
  await expect(task(page)).toContainText('working')
  await page.goto(served.urlOf('/history'))
  await page
    .getByRole('button', { name: /cancelled gate/ })
    .first()
    .click()
  await expect(page.getByText(/The server continues its task/).first()).toBeVisible()
  writeFileSync(join(gate, 'open'), '')
  await page.getByRole('button', { name: 'Get the result' }).click()
  await expect(page.getByTestId('tool-title')).toHaveText('gate')
  await expect(result(page)).toContainText('9')
  await expect(task(page)).toContainText('completed')
})

test('sampling: shows the conversation, and sends the answer that is written', async ({ page, served }) => {
  await page.goto(served.urlOf('/?tool=everything/trigger-sampling-request'))
  await page.getByTestId('tool-form').getByRole('textbox', { name: 'prompt' }).fill('Is it high tide?')
  await page.getByTestId('call-button').click()
  await expect(card(page)).toContainText('everything asks for an answer of a language model')
  await expect(card(page)).toContainText('Is it high tide?')
  await expectNoViolationsWideAndNarrow(page, 'a question for a language model')
  await card(page).getByRole('textbox', { name: 'text' }).fill('Yes, until six.')
  await card(page).getByRole('button', { name: 'Accept', exact: true }).click()
  await expect(result(page)).toContainText('Yes, until six.')
})

test('source page: fixes the era, and tells the server of folders', async ({ page, served }) => {
  await page.goto(served.urlOf('/?about=everything'))
  const folders = page.getByLabel(/Folders that it receives/)
  await folders.fill(gate)
  await folders.blur()
  await expect(folders).toHaveValue(gate)
  await page.getByLabel('Era of MCP').selectOption('modern')
  await expect(page.getByText(/does not speak the modern era/).first()).toBeVisible()
  await page.getByLabel('Era of MCP').selectOption('legacy')
  await expect(page.getByText('2025-11-25').first()).toBeVisible()
  await page.goto(served.urlOf('/?tool=everything/get-roots-list'))
  await page.getByTestId('call-button').click()
  await expect(result(page)).toContainText(pathToFileURL(gate).href)
})
