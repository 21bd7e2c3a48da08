/** What changed between two manifests, as a user sees it: against the built program and its real comparison. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { acme, type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

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
  const printed = execFileSync(process.execPath, [acme, '--llms'], {
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

const at = (running: Running, parameters: Record<string, string>) =>
  running.urlOf(`/diff?${new URLSearchParams(parameters)}`)
const changes = (page: Page) => page.getByTestId('change')

test('a break shows an input that fails now, and puts it into the form without calling', async ({
  page,
  toolscope,
}) => {
  await page.goto(at(toolscope, { a: older, b: 'acme' }))
  const broken = changes(page).filter({ hasText: 'A call that worked before and fails now' }).first()
  await expect(broken).toBeVisible()
  await expect(broken).toContainText('/build')
  await expect(page.getByTestId('diff-count-breaking')).not.toContainText('0')
  await broken.getByRole('button', { name: 'Try this input' }).click()
  await expect(page.getByTestId('tool-title')).toHaveText('api deploy')
  await expect(page.getByTestId('tool-form')).toBeVisible()
  await expect(page.getByTestId('result-status')).toHaveCount(0)
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('tool-form')).toContainText('must look like b-')
  await page.goBack()
  await expect(broken).toBeVisible()
})

test('the keys alone: to the page, from change to change, breaking only', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/'))
  await expect(page.getByTestId('catalog-row').first()).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page.getByRole('heading', { name: /What changed between two manifests/ })).toBeVisible()
  await page.getByLabel('Before').fill(older)
  await page.getByLabel('After').fill('acme')
  await page.keyboard.press('Enter')
  await expect(changes(page).first()).toBeVisible()
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
  await page.goto(at(toolscope, { a: older, b: 'acme' }))
  await page.getByRole('button', { name: 'Schemas of api deploy' }).click()
  await expect(page.locator('.monaco-diff-editor')).toBeVisible()
  await expect(page.locator('.monaco-diff-editor')).toContainText('^b-[0-9]+$')
  await expect(page).toHaveURL(/schemas=api\+deploy/)
  // The difference is computed late, in a worker.
  await expect(page.locator('.monaco-diff-editor .line-insert').first()).toBeAttached()
  expect(thrown).toEqual([])
})

test('copies the changes as Markdown', async ({ page, context, toolscope }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(at(toolscope, { a: older, b: 'acme' }))
  await page.getByRole('button', { name: 'Copy as Markdown' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('api deploy')
})

test('says what is wrong with a reference, and what to do', async ({ page, toolscope }) => {
  await page.goto(at(toolscope, { a: join(folder, 'no-such.json'), b: 'acme' }))
  await expect(page.getByRole('alert')).toContainText('no-such.json')
})

test('a source has a way to its comparison', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/?about=acme'))
  await page.getByRole('link', { name: 'Compare with…' }).click()
  await expect(page.getByLabel('After')).toHaveValue('acme')
  await expect(page.getByLabel('Before')).toBeFocused()
})

test('thousands of changes, and names that mean harm', async ({ page }) => {
  const tools = (maximum: number) =>
    Array.from({ length: 3_000 }, (_, index) => ({
      name: index === 0 ? '<img src=x onerror=document.title="pwned">\u202e__proto__' : `tool_${index}`,
      description: index === 0 ? `before ${'\u200b'.repeat(maximum)} <script>alert(1)</script>` : 'Reads.',
      inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } } },
    }))
  const thrown: string[] = []
  page.on('pageerror', error => thrown.push(error.message))
  const running = await startToolscope([], folder)
  await page.goto(at(running, { a: file('many-1.json', tools(100)), b: file('many-2.json', tools(50)) }))
  await expect(changes(page).first()).toBeVisible()
  await expect(page.getByText(/of 3,\d{3} changes/)).toBeVisible()
  expect(await changes(page).count()).toBeLessThan(40)
  await expect(page.getByText('U+202E').first()).toBeVisible()
  for (let step = 0; step < 30; step += 1) await page.keyboard.press('j')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('diff-change-29')
  expect(await page.title()).not.toContain('pwned')
  expect(thrown).toEqual([])
  await running.stop()
})

test('has no barrier, wide and narrow', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/diff'))
  await expect(page.getByText('Each side is one of these')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'nothing chosen')
  await page.goto(at(toolscope, { a: older, b: 'acme' }))
  await expect(changes(page).first()).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'changes')
  await page.getByRole('button', { name: 'Schemas of api deploy' }).click()
  await expect(page.locator('.monaco-diff-editor')).toContainText('^b-[0-9]+$')
  await expectNoViolationsWideAndNarrow(page, 'schemas')
  await page.goto(at(toolscope, { a: 'no-such-file.json', b: 'acme' }))
  await expect(page.getByRole('alert')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'error')
})
