/** What changed between two manifests, as a user sees it: against the built program and its real comparison. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './support/axe.ts'
import { expect, project, startToolscope, test } from './support/toolscope.ts'

interface Listed {
  name: string
  description?: string
  inputSchema: { properties: Record<string, Record<string, unknown>> }
  annotations?: Record<string, unknown>
}

const folder = mkdtempSync(join(tmpdir(), 'toolscope-diff-'))
const file = (name: string, tools: readonly object[]) => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ tools }))
  return path
}
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The manifest of the example as it may have been before: what it has now is stricter, and says more. */
function olderManifest(): string {
  const printed = execFileSync(process.execPath, [project('examples/acme/acme.mjs'), '--llms'], {
    encoding: 'utf8',
  })
  const { tools }: { tools: Listed[] } = JSON.parse(printed)
  const tool = (name: string) => {
    const found = tools.find(each => each.name === name)
    if (!found) throw new Error(`the example has no ${name}`)
    return found
  }
  delete tool('api deploy').inputSchema.properties.build?.pattern
  tool('ops logs').description = 'Shows logs.'
  return file('older.json', tools)
}
const older = olderManifest()

const at = (origin: string, parameters: Record<string, string>) =>
  `${origin}/diff?${new URLSearchParams(parameters)}`
const changes = (page: Page) => page.getByTestId('change')
const slow = { timeout: 20_000 }

test('a break shows an input that fails now, and puts it into the form without calling', async ({
  page,
  toolscope,
}) => {
  await page.goto(toolscope.url)
  await page.goto(at(toolscope.origin, { a: older, b: 'acme' }))
  const broken = changes(page).filter({ hasText: 'A call that worked before and fails now' }).first()
  await expect(broken).toBeVisible(slow)
  await expect(broken).toContainText('/build')
  await expect(page.getByTestId('diff-count-breaking')).not.toContainText('0')
  await broken.getByRole('button', { name: 'Try this input' }).click()
  await expect(page.getByTestId('tool-title')).toHaveText('api deploy')
  await expect(page.getByTestId('tool-form')).toBeVisible(slow)
  await expect(page.getByTestId('result-status')).toHaveCount(0)
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('tool-form')).toContainText('^b-[0-9]+$')
  await page.goBack()
  await expect(broken).toBeVisible(slow)
})

test('filters stand in the URL and come back from it', async ({ page, toolscope }) => {
  await page.goto(toolscope.url)
  await page.goto(at(toolscope.origin, { a: older, b: 'acme' }))
  await expect(changes(page).first()).toBeVisible(slow)
  await page.getByRole('button', { name: 'Text', exact: true }).click()
  await expect(page).toHaveURL(/direction=text/)
  await expect(changes(page)).toHaveCount(1)
  await expect(changes(page)).toContainText('description')
  await page.reload()
  await expect(changes(page)).toHaveCount(1, slow)
  await page.getByRole('searchbox', { name: 'Filter changes' }).fill('nothing like it')
  await expect(page.getByText('No change matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByTestId('diff-count-breaking').click()
  await expect(page).toHaveURL(/show=breaking/)
  await expect(changes(page).first()).toContainText('breaking')
})

test('the keys alone: to the page, from change to change, breaking only', async ({ page, toolscope }) => {
  await page.goto(toolscope.url)
  await expect(page.getByTestId('catalog-row').first()).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: /What changed between two manifests/ })).toBeVisible(slow)
  await page.getByLabel('Before').fill(older)
  await page.getByLabel('After').fill('acme')
  await page.keyboard.press('Enter')
  await expect(changes(page).first()).toBeVisible(slow)
  await page.getByRole('heading', { level: 2 }).first().click()
  await page.keyboard.press('j')
  await expect(changes(page).first()).toBeFocused()
  await page.keyboard.press('j')
  await expect(changes(page).nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(changes(page).first()).toBeFocused()
  await page.keyboard.press('b')
  await expect(page).toHaveURL(/show=breaking/)
  await page.keyboard.press('b')
  await expect(page).not.toHaveURL(/show=/)
})

test('the raw schemas stand side by side, and nothing is thrown', async ({ page, toolscope }) => {
  const thrown: string[] = []
  page.on('pageerror', error => thrown.push(error.message))
  await page.goto(toolscope.url)
  await page.goto(at(toolscope.origin, { a: older, b: 'acme' }))
  await page.getByRole('button', { name: 'Schemas of api deploy' }).click(slow)
  await expect(page.locator('.monaco-diff-editor')).toBeVisible(slow)
  await expect(page.locator('.monaco-diff-editor')).toContainText('^b-[0-9]+$', slow)
  await expect(page).toHaveURL(/schemas=api\+deploy/)
  await page.waitForTimeout(1_000)
  expect(thrown).toEqual([])
})

test('swapping turns the question round', async ({ page, toolscope }) => {
  await page.goto(toolscope.url)
  await page.goto(at(toolscope.origin, { a: older, b: 'acme', tool: 'api deploy' }))
  await expect(page.getByText('A call that worked before and fails now').first()).toBeVisible(slow)
  await page.getByRole('button', { name: 'Swap the two sides' }).click()
  await expect(page.getByLabel('Before')).toHaveValue('acme')
  await expect(changes(page).first()).toBeVisible(slow)
  await expect(page.getByText('A call that worked before and fails now')).toHaveCount(0)
})

test('copies the changes as Markdown', async ({ page, context, toolscope }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(toolscope.url)
  await page.goto(at(toolscope.origin, { a: older, b: 'acme' }))
  await page.getByRole('button', { name: 'Copy as Markdown' }).click(slow)
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('api deploy')
})

test('says what is wrong with a reference, and what to do', async ({ page, toolscope }) => {
  await page.goto(toolscope.url)
  await page.goto(at(toolscope.origin, { a: join(folder, 'no-such.json'), b: 'acme' }))
  await expect(page.getByRole('alert')).toContainText('no-such.json', slow)
})

test('a source has a way to its comparison', async ({ page, toolscope }) => {
  await page.goto(toolscope.url)
  await page.goto(`${toolscope.origin}/?about=acme`)
  await page.getByRole('link', { name: 'Compare with…' }).click()
  await expect(page.getByLabel('After')).toHaveValue('acme', slow)
  await expect(page.getByLabel('Before')).toBeFocused()
})

test('thousands of changes, and names that mean harm', async ({ page }) => {
  test.setTimeout(120_000)
  const tools = (maximum: number) =>
    Array.from({ length: 3_000 }, (_, index) => ({
      name: index === 0 ? '<img src=x onerror=document.title="pwned">\u202e__proto__' : `tool_${index}`,
      description: index === 0 ? `before ${'\u200b'.repeat(maximum)} <script>alert(1)</script>` : 'Reads.',
      inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } } },
    }))
  const thrown: string[] = []
  page.on('pageerror', error => thrown.push(error.message))
  const running = await startToolscope([], folder)
  await page.goto(running.url)
  await page.goto(
    at(running.origin, { a: file('many-1.json', tools(100)), b: file('many-2.json', tools(50)) }),
  )
  await expect(changes(page).first()).toBeVisible({ timeout: 40_000 })
  await expect(page.getByText(/of 3,\d{3} changes/)).toBeVisible()
  expect(await changes(page).count()).toBeLessThan(40)
  await expect(page.getByText('U+202E').first()).toBeVisible()
  for (let step = 0; step < 30; step += 1) await page.keyboard.press('j')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('diff-change-29')
  expect(await page.title()).not.toContain('pwned')
  expect(thrown).toEqual([])
  await running.stop()
})

for (const width of [1440, 375]) {
  test(`accessible at ${width} px`, async ({ browser, toolscope }) => {
    test.setTimeout(120_000)
    const context = await browser.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    await page.goto(toolscope.url)
    await page.goto(`${toolscope.origin}/diff`)
    await expect(page.getByText('Each side is one of these')).toBeVisible(slow)
    await expectNoViolations(page, 'nothing chosen')
    await page.goto(at(toolscope.origin, { a: older, b: 'acme' }))
    await expect(changes(page).first()).toBeVisible(slow)
    await expectNoViolations(page, 'changes')
    await page.getByRole('button', { name: 'Schemas of api deploy' }).click()
    await expect(page.locator('.monaco-diff-editor')).toContainText('^b-[0-9]+$', slow)
    await expectNoViolations(page, 'schemas')
    await page.goto(at(toolscope.origin, { a: 'no-such-file.json', b: 'acme' }))
    await expect(page.getByRole('alert')).toBeVisible(slow)
    await expectNoViolations(page, 'error')
    await context.close()
  })
}
