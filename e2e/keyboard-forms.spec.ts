/** The five hardest forms of the servers that the tests have, found, filled and called without a mouse. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { acme, startToolscope } from '../scripts/toolscope-program.ts'
import { expect, publishedServer, testServed } from './support/toolscope.ts'

const test = testServed(folder => {
  const server = (name: string, args: readonly string[], env: Record<string, string> = {}) => ({
    command: process.execPath,
    args: [publishedServer(name), ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  const mcpServers = {
    memory: server('server-memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.json') }),
    files: server('server-filesystem', [folder]),
    everything: server('server-everything', ['stdio']),
  }
  const file = join(folder, 'mcp.json')
  writeFileSync(file, JSON.stringify({ mcpServers }))
  return startToolscope([file, `node ${acme}`])
})

/** Finds the tool by its name and opens it; Enter leads into its form. */
async function openTool(page: Page, name: string): Promise<void> {
  await expect(page.getByTestId('catalog-row').first()).toBeVisible()
  await page.keyboard.press('/')
  const searched = page.waitForResponse(response => {
    const { pathname, searchParams } = new URL(response.url())
    return pathname === '/api/rows' && searchParams.get('q') === name
  })
  await page.keyboard.type(name)
  await searched
  await page.keyboard.press('Enter')
  await expect(page.getByTestId('tool-title')).toHaveText(name)
  await expect(page.getByTestId('tool-form').locator(':focus')).toBeVisible()
}

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  const hasFocus = () => control.evaluate(element => element === document.activeElement)
  for (let presses = 0; presses < 60 && !(await hasFocus()); presses++) await page.keyboard.press('Tab')
  await expect(control).toBeFocused()
}

const control = (page: Page, role: 'textbox' | 'button' | 'radio' | 'combobox', name: string) =>
  page.getByTestId('tool-form').getByRole(role, { name, exact: true })

async function type(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, control(page, 'textbox', name))
  await page.keyboard.type(text)
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, control(page, 'button', name).first())
  await page.keyboard.press('Enter')
}

async function call(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Enter')
}

const result = (page: Page) => page.getByTestId('result-view')

test('form by keys: fills and calls memory create_entities, a list of objects with lists of texts', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/'))
  await openTool(page, 'create_entities')
  await press(page, 'Add item')
  await expect(control(page, 'textbox', 'name')).toBeFocused()
  await type(page, 'name', 'Ada')
  await type(page, 'entityType', 'person')
  await press(page, 'Add item')
  await page.keyboard.type('writes programs')
  await press(page, 'Add item')
  await page.keyboard.type('lives in London')
  await call(page)
  await expect(result(page)).toContainText('lives in London')
  const kept = JSON.parse(readFileSync(join(served.serverFolder, 'memory.json'), 'utf8').split('\n')[0] ?? '')
  expect(kept).toMatchObject({
    name: 'Ada',
    entityType: 'person',
    observations: ['writes programs', 'lives in London'],
  })
})

test('form by keys: fills and calls memory create_relations, a table, cell by cell', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/'))
  await openTool(page, 'create_relations')
  await press(page, 'Add item')
  await type(page, 'relations 1 from', 'Ada')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Charles')
  await page.keyboard.press('Tab')
  await page.keyboard.type('writes to')
  await call(page)
  await expect(result(page)).toContainText('writes to')
  await expect(result(page)).toContainText('Charles')
})

test('form by keys: fills and calls filesystem edit_file, a table and a switch, and confirms the call', async ({
  page,
  served,
}) => {
  const path = join(served.serverFolder, 'poem.txt')
  writeFileSync(path, 'one\ntwo\nthree\n')
  await page.goto(served.urlOf('/'))
  await openTool(page, 'edit_file')
  await type(page, 'path', path)
  await press(page, 'Add item')
  await page.keyboard.type('two')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await tabTo(page, control(page, 'radio', 'true'))
  await page.keyboard.press('Space')
  await call(page)
  // One key answers the question.
  await expect(page.getByRole('button', { name: 'Call anyway' })).toBeFocused()
  await page.keyboard.press('Enter')
  // The tree cuts long texts, and the diff begins with two paths.
  await page.getByRole('tab', { name: 'Text' }).press('Enter')
  await expect(result(page)).toContainText('+2')
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n')
})

test('form by keys: fills and calls everything get-annotated-message, a choice by arrows and a switch by Space', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/'))
  await openTool(page, 'get-annotated-message')
  await page.keyboard.press('ArrowRight')
  await tabTo(page, control(page, 'radio', 'true'))
  await page.keyboard.press('Space')
  await call(page)
  await expect(result(page)).toContainText(/success/i)
})

test('form by keys: fills and calls acme incidents open, a table of choices, a nullable text and a union', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/'))
  await openTool(page, 'incidents open')
  await type(page, 'title', 'Checkout is slow')
  await press(page, 'Add item')
  await page.keyboard.type('search')
  await tabTo(page, control(page, 'combobox', 'affected 1 region'))
  await page.keyboard.type('us')
  await tabTo(page, control(page, 'textbox', 'commander'))
  await page.keyboard.type('ada@example.com')
  await tabTo(page, control(page, 'radio', 'with channel'))
  await page.keyboard.press('ArrowRight')
  await type(page, 'phone', '+4930123456')
  await call(page)
  await expect(page.getByTestId('result-verdict')).toHaveText('output valid')
  await expect(result(page)).toContainText('ada@example.com')
})
