/** The wire: messages are found, read, paired, copied, sent again and recorded. */
import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsInAllModesWideAndNarrow, expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, publishedServer, testServed } from './support/toolscope.ts'

const test = testServed(() => startToolscope(['node', '--', publishedServer('server-everything'), 'stdio']))
// One wire for all: the tests go on from one another.
test.describe.configure({ mode: 'serial' })

const list = (page: Page) => page.getByRole('listbox', { name: 'Messages of server-everything' })
const rows = (page: Page) => list(page).getByRole('option')
const detail = (page: Page) => page.getByRole('article', { name: /^Message \d+$/ })
const search = (page: Page, text: string) => page.getByLabel('Find messages').fill(text)

test('wire: a call of the form leads to its messages, a request and its answer', async ({ page, served }) => {
  await page.goto(served.urlOf('/?tool=server-everything/echo'))
  await page.getByTestId('tool-form').getByLabel('message').fill('along the wire')
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('result-view')).toContainText('along the wire')
  await page.getByRole('link', { name: 'Wire of this call' }).click()
  await expect(rows(page)).toHaveCount(2)
  await expect(rows(page).first()).toContainText('requesttools/callecho')
  await expect(rows(page).last()).toContainText('result')
  await expect(rows(page).last()).toContainText('ms')

  await rows(page).first().click()
  await expect(detail(page)).toContainText('message: "along the wire"')
  await detail(page).getByRole('tab', { name: 'Raw' }).click()
  await expect(page.getByTestId('wire-view')).toContainText('"method":"tools/call"')
  await page.keyboard.press('p')
  await expect(detail(page)).toContainText('Echo: along the wire')
  await page.getByRole('button', { name: 'Only one call: show the messages of all' }).click()
  await expect(list(page)).toContainText('initialize')
})

test('wire: the search finds words of texts, and a message is copied as one line', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/wire'))
  await expect(list(page)).toContainText('tools/list')
  await search(page, 'along the wire')
  await expect(rows(page)).toHaveCount(2)
  await rows(page).first().click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as JSON-RPC line' }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeAttached()
  const line: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()))
  expect(line).toMatchObject({ method: 'tools/call', params: { name: 'echo' } })
  await search(page, 'nothing contains this')
  await expect(page.getByText('No message matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(list(page)).toContainText('initialize')
})

test('wire: an edited call is sent again, and new messages are followed', async ({ page, served }) => {
  await page.goto(served.urlOf('/wire?source=server-everything&text=along+the+wire'))
  await rows(page).first().click()
  await page.getByRole('button', { name: 'Edit and send again' }).click()
  const editor = page.getByRole('region', { name: 'Edit and send again' })
  await expect(editor.locator('.monaco-editor')).toBeVisible()
  await editor.locator('.monaco-editor').click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"message":"again along the wire"}}}',
  )
  await editor.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(rows(page)).toHaveCount(4)
  await expect(detail(page)).toContainText('message: "again along the wire"')

  // A request without a tool goes out as it is, with a new id.
  await page.goto(served.urlOf('/wire?source=server-everything&text=tools/list&kind=request'))
  await expect(page.getByTestId('wire-count')).toContainText(' of ')
  const before = await rows(page).count()
  await rows(page).first().click()
  await page.getByRole('button', { name: 'Edit and send again' }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(rows(page)).toHaveCount(before + 1)
})

test('wire: a recording begins with the messages so far and is saved at its end', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/wire?source=server-everything'))
  await expect(list(page)).toContainText('initialize')
  await page.getByRole('button', { name: 'Record', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Record, with the messages so far' }).click()
  const stop = page.getByRole('button', { name: /^Stop recording/ })
  await expect(stop).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), stop.click()])
  expect(download.suggestedFilename()).toBe('server-everything.toolrec')
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(lines[0]).toMatchObject({ type: 'header' })
  expect(lines.some(({ type, text }) => type === 'message' && text.includes('again along the wire'))).toBe(
    true,
  )
  await expect(page.getByRole('button', { name: 'Record', exact: true })).toBeVisible()
})

test('wire: has no axe violation, wide and narrow', async ({ page, served }) => {
  await page.goto(served.urlOf('/wire?source=server-everything'))
  await expect(list(page)).toContainText('initialize')
  await expectNoViolationsInAllModesWideAndNarrow(page, 'wire')
  await page.getByLabel('Kind').selectOption('request')
  await rows(page).filter({ hasText: 'echo' }).first().click()
  await page.getByRole('button', { name: 'Pin', exact: true }).click()
  await expect(page.getByTestId('wire-view')).toBeVisible()
  await expectNoViolationsInAllModesWideAndNarrow(page, 'message')
  await page.getByRole('button', { name: 'Edit and send again' }).click()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'send again')
})

test('wire: paused and cleared, it says so and offers the way out', async ({ page, served }) => {
  await page.goto(served.urlOf('/wire?source=server-everything'))
  await page.getByRole('button', { name: /^Pause the wire/ }).click()
  await expect(page.getByTestId('wire-count')).toContainText('paused')
  await page.getByRole('button', { name: 'Clear the wire' }).click()
  await expect(page.getByText('The wire is paused')).toBeVisible()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByText('Nothing yet: call a tool')).toBeVisible()
})
