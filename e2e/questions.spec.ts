/** What real MCP servers ask back during a call, answered in the page: forms, several rounds, an address to open. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { project } from '../scripts/project.mjs'
import { type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, publishedServer, testServed } from './support/toolscope.ts'

async function serve(folder: string): Promise<Running> {
  const file = join(folder, 'mcp.json')
  const node = process.execPath
  const questions = project('server/sources/fixtures/mcp-questions.mjs')
  writeFileSync(
    file,
    JSON.stringify({
      mcpServers: {
        everything: { command: node, args: [publishedServer('server-everything'), 'stdio'] },
        questions: { command: node, args: [questions] },
      },
    }),
  )
  return startToolscope([file])
}

const test = testServed(serve)

const card = (page: Page) => page.getByTestId('question')
const press = (page: Page, name: string) => card(page).getByRole('button', { name, exact: true }).click()
const result = (page: Page) => page.getByTestId('result-view')

async function call(page: Page): Promise<void> {
  await page.getByTestId('call-button').click()
  await expect(card(page)).toBeVisible()
}

test('question: is accepted, declined or cancelled by a form, and is kept with the call', async ({
  page,
  served,
}) => {
  const tool = '/?tool=everything/trigger-elicitation-request'
  await page.goto(served.urlOf(tool))
  await call(page)
  await expect(page.getByTestId('result-status')).toHaveText('waiting for your answer')
  await expect(card(page)).toContainText('everything asks')
  const name = card(page).getByRole('textbox', { name: /^name/ })
  await expect(name).toBeFocused()
  await expectNoViolationsWideAndNarrow(page, 'a question')
  await press(page, 'Accept')
  await expect(card(page)).toContainText('Required')
  await expect(name).toBeFocused()
  await name.fill('Ada')
  // The question and what was entered are there again after another tool was open.
  await page.locator('[data-tool="everything/echo"]').click()
  await expect(page.getByTestId('tool-title')).toHaveText('echo')
  await page.locator('[data-tool="everything/trigger-elicitation-request"]').click()
  await expect(name).toHaveValue('Ada')
  await press(page, 'Accept')
  await expect(result(page)).toContainText('Name: Ada')
  await page.getByRole('tab', { name: 'Questions' }).click()
  await expect(result(page)).toContainText('accepted')
  await expect(result(page)).toContainText('"name": "Ada"')
  await expectNoViolationsWideAndNarrow(page, 'an answered question')

  // An example of it holds the answers.
  await page.getByRole('tab', { name: 'Examples' }).click()
  await expect(page.getByText('The answers are saved with the input.')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill('answers')
  await page.getByRole('button', { name: 'Save current input' }).click()
  await page.getByRole('button', { name: 'Run answers' }).click()
  await expect(page.getByTestId('example-outcome')).toContainText('Passed', { ignoreCase: true })
  await page.getByRole('tab', { name: 'Form' }).click()

  for (const [button, text] of [
    ['Decline', 'declined to provide'],
    ['Cancel question', 'cancelled the elicitation'],
  ] as const) {
    await call(page)
    await press(page, button)
    await page.getByRole('tab', { name: 'Text' }).click()
    await expect(result(page)).toContainText(text)
  }
  await call(page)
  await page.getByTestId('cancel-button').click()
  await expect(page.getByTestId('result-status')).toHaveText('cancelled')
  await expect(card(page)).toHaveCount(0)
})

test('question: follows the one before it, and opens an address only with consent', async ({
  page,
  context,
  served,
}) => {
  const opened: string[] = []
  await context.route('https://pay.example.com:8443/**', route => {
    opened.push(route.request().url())
    return route.fulfill({ body: 'paid' })
  })
  await page.goto(served.urlOf('/?tool=questions/book-room'))
  await call(page)
  await expect(card(page)).toContainText('Who is the guest?')
  await expect(card(page)).toContainText('a likely secret (door_password)')
  await card(page).getByRole('textbox', { name: /^name/ }).fill('Ada')
  await card(page)
    .getByLabel(/^door_password/)
    .fill('open-sesame-3')
  await press(page, 'Accept')
  await expect(card(page)).toContainText('How long is the stay?')
  await page.keyboard.press('Control+Enter')
  await expect(card(page)).toContainText('Are the terms of the house accepted?')
  await press(page, 'Decline')
  await expect(result(page)).toContainText('terms { 1 }action: "decline"')
  await page.getByRole('tab', { name: 'Questions' }).click()
  await expect(result(page)).toContainText('"door_password": "•••"')
  await expect(result(page)).not.toContainText('open-sesame-3')

  await page.locator('[data-tool="questions/pay"]').click()
  await call(page)
  const address = 'https://pay.example.com:8443/checkout/42?session=k7Qp2vX9'
  await expect(page.getByTestId('question-url')).toHaveText(address)
  await expectNoViolationsWideAndNarrow(page, 'an address to open')
  await expect(page.getByTestId('question-accept')).toHaveAttribute('aria-disabled', 'true')
  expect(opened).toEqual([])
  const tab = context.waitForEvent('page')
  await press(page, 'Open pay.example.com:8443')
  await (await tab).waitForLoadState()
  expect(opened).toEqual([address])
  await press(page, 'Accept')
  await expect(result(page)).toContainText('action: "accept"')

  // History holds the questions, and no secret of the answers.
  const history = () => page.evaluate(async () => (await fetch('/api/history/export')).text())
  await expect.poll(history).toContain('Pay in the browser.')
  const text = await history()
  expect(text).toContain('Who is the guest?')
  expect(text).not.toContain('open-sesame-3')
  expect(text).not.toContain('k7Qp2vX9')
})
