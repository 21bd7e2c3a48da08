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

// Made when the tests run: Playwright also loads this file only to list them.
let folder = ''
let older = ''
const file = (name: string, tools: readonly object[]) => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ tools }))
  return path
}
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolscope-diff-'))
  older = olderManifest()
})
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
const at = (running: Running, parameters: Record<string, string>) =>
  running.urlOf(`/diff?${new URLSearchParams(parameters)}`)
const changes = (page: Page) => page.getByTestId('change')

test('diff page: shows the failing input of a breaking change, and puts it into the form without a call', async ({
  page,
  toolscope,
}) => {
  await page.goto(at(toolscope, { a: older, b: 'acme' }))
  await expect(page.getByTestId('diff-summary')).toContainText('may no longer work: 1 breaking change.')
  const broken = changes(page).first()
  await expect(broken).toContainText(
    /Input build.*worked in older · fails in acme.*"build": .*"pattern": "\^b-/s,
  )
  await broken.getByRole('button', { name: 'How this was decided' }).click()
  await expect(broken).toContainText('refuted')
  await broken.getByRole('button', { name: 'Try in acme' }).click()
  await expect(page.getByTestId('tool-title')).toHaveText('api deploy')
  await expect(page.getByTestId('tool-form')).toBeVisible()
  await expect(page.getByTestId('result-status')).toHaveCount(0)
  await page.getByTestId('call-button').click()
  await expect(page.getByTestId('tool-form')).toContainText('Must look like b-')
  await page.goBack()
  await expect(broken).toBeVisible()
})

for (const width of [1440, 390])
  test(`diff page: goes to the report, from change to change and by the outline with keys alone, at ${width} px`, async ({
    page,
    toolscope,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(toolscope.urlOf('/'))
    await expect(page.getByTestId('catalog-row').first()).toBeVisible()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await expect(page.getByRole('heading', { name: 'Compare two versions' })).toBeVisible()
    await page.getByLabel('Before', { exact: true }).fill(older)
    await page.getByLabel('After', { exact: true }).fill('acme')
    await page.keyboard.press('Enter')
    await expect(changes(page).first()).toBeVisible()
    // After Compare the focus is on the report: the keys work at once.
    await expect(page.getByRole('region', { name: 'Report' })).toBeFocused()
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
    await page.keyboard.press('/')
    await expect(page.getByLabel('Filter tools and changes')).toBeFocused()
    // Past the severities to the tools: one of them is reached by Tab, the next by its arrow key.
    const chips = await page.getByTestId(/^diff-count-/).count()
    for (let press = 0; press <= chips; press += 1) await page.keyboard.press('Tab')
    const items = page.getByTestId('outline-item')
    await expect(items.first()).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(items.nth(1)).toBeFocused()
    const tool = (await items.nth(1).getAttribute('title')) ?? ''
    await page.keyboard.press('Enter')
    const shown = changes(page)
      .filter({ has: page.locator(':focus') })
      .or(page.locator('article:focus'))
    await expect(shown).toBeVisible()
    await expect(page.getByRole('heading', { level: 2, name: tool })).toBeInViewport()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  })

test('diff page: shows the full schemas side by side, and throws nothing', async ({ page, toolscope }) => {
  const thrown: string[] = []
  page.on('pageerror', error => thrown.push(error.message))
  await page.goto(at(toolscope, { a: older, b: 'acme' }))
  await page.getByRole('button', { name: 'Full schemas of api deploy' }).click()
  await expect(page.locator('.monaco-diff-editor')).toBeVisible()
  await expect(page.locator('.monaco-diff-editor')).toContainText('^b-[0-9]+$')
  await expect(page).toHaveURL(/schemas=api\+deploy/)
  // The difference is computed late, in a worker.
  await expect(page.locator('.monaco-diff-editor .line-insert').first()).toBeAttached()
  expect(thrown).toEqual([])
})

test('diff page: copies the changes as Markdown', async ({ page, context, toolscope }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(at(toolscope, { a: older, b: 'acme' }))
  await page.getByRole('button', { name: 'Copy as…' }).click()
  await page.getByRole('menuitem', { name: 'Markdown' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('may no longer work: 1 breaking change.**')
  await expect.poll(copied).toContain('`api deploy` `/build`: pattern added')
})

test('diff page: takes its sides from a list, picked files and dropped files, and says when a file is lost', async ({
  page,
}) => {
  const tools = (maximum: number, more: readonly object[] = []) => [
    { name: 'count', inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } } } },
    ...more,
  ]
  const changing = file('changing.json', tools(100))
  const running = await startToolscope([changing], folder)
  await page.goto(running.urlOf('/?about=changing'))
  await expect(page.getByText('ready').first()).toBeVisible()
  file('changing.json', tools(50))
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByTestId('toast')).toContainText('changing changed: 1 breaking')
  await page.goto(at(running, { b: 'changing' }))
  await page.getByRole('button', { name: 'Choose before' }).click()
  await page.getByRole('menuitem', { name: /^changing, before \d\d:\d\d/ }).click()
  await expect(page).toHaveURL(/a=changing(?:@|%40)1&b=changing/)
  await expect(changes(page)).toContainText('100 → 50')
  await expect(changes(page).getByRole('button', { name: 'Try in changing' })).toBeVisible()

  await page.getByLabel('File for before').setInputFiles(file('picked.json', tools(70)))
  await expect(changes(page)).toContainText('70 → 50')
  await expect(page.getByLabel('Before', { exact: true })).toHaveValue('dropped:picked.json')
  const added = { name: 'extra', description: 'Adds more.', inputSchema: { type: 'object' } }
  const dropped = await page.evaluateHandle(
    texts => {
      const transfer = new DataTransfer()
      // The newer one first: their times say which was before.
      for (const [at, text] of texts.entries())
        transfer.items.add(new File([text], 'tools.json', { lastModified: 2_000 - at }))
      return transfer
    },
    [JSON.stringify({ tools: tools(9, [added]) }), JSON.stringify({ tools: tools(9) })],
  )
  await page.getByRole('region', { name: 'Diff' }).dispatchEvent('drop', { dataTransfer: dropped })
  const extra = page.getByTestId('added')
  await expect(extra).toContainText(/extra.*added.*Adds more/)
  await expect(page.getByTestId('diff-summary')).toHaveText(
    'A client that froze the old list still works. 1 tool added.',
  )
  await expect(page.getByRole('region', { name: 'Report' })).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(extra).toContainText('"inputSchema"')
  await page.reload()
  await expect(page.getByRole('alert')).toContainText(
    /tools\.json.*was dropped on a page.*Drop the file again/s,
  )
  // A file that was only compared is not a source.
  await expect(page.getByRole('link', { name: /^(?:tools|picked)/ })).toHaveCount(0)
  await running.stop()
})

test('diff page: compares a renamed tool under its new name, and shows a rule of renames once', async ({
  page,
  toolscope,
}) => {
  const tool = (name: string, maximum = 9) => ({
    name,
    description: `Does ${name.replaceAll(/[-_]/g, ' ')}.`,
    inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } } },
  })
  const names = ['web-search', 'web-crawl', 'web-map']
  const a = file(
    'dashes.json',
    names.map(name => tool(name)),
  )
  const b = file(
    'underlines.json',
    names.map(name => tool(name.replace('-', '_'), name === 'web-map' ? 5 : 9)),
  )
  await page.goto(at(toolscope, { a, b }))
  await expect(page.getByTestId('diff-summary')).toContainText('3 tools renamed, 1 changed.')
  await expect(page.getByTestId('outline-item')).toHaveText([/web_map/, /3 tools renamed: “-” → “_”/])
  await expect(page.getByRole('heading', { level: 2, name: /web-map.*web_map/ })).toBeVisible()
  await expect(changes(page).filter({ hasText: '9 → 5' })).toContainText(
    'worked in dashes · fails in underlines',
  )
  await expect(changes(page).filter({ hasText: '3 tools renamed' })).toContainText('web-crawl → web_crawl')
})

test('diff page: shows an alert that names a missing file', async ({ page, toolscope }) => {
  await page.goto(at(toolscope, { a: join(folder, 'no-such.json'), b: 'acme' }))
  await expect(page.getByRole('alert')).toContainText('no-such.json')
})

test('source page: links to the diff page with the source as the side after', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/?about=acme'))
  await page.getByRole('link', { name: 'Compare with…' }).click()
  await expect(page.getByLabel('After', { exact: true })).toHaveValue('acme')
  await expect(page.getByLabel('Before', { exact: true })).toBeFocused()
})

test('diff page: goes through a thousand changes by keys, and shows hostile names as text', async ({
  page,
}) => {
  const tools = (maximum: number) =>
    Array.from({ length: 1_000 }, (_, index) => ({
      name: index === 0 ? '<img src=x onerror=document.title="pwned">\u202e__proto__' : `tool_${index}`,
      description: index === 0 ? `before ${'\u200b'.repeat(maximum)} <script>alert(1)</script>` : 'Reads.',
      inputSchema: { type: 'object', properties: { n: { type: 'integer', maximum } } },
    }))
  const thrown: string[] = []
  page.on('pageerror', error => thrown.push(error.message))
  const running = await startToolscope([], folder)
  await page.goto(at(running, { a: file('many-1.json', tools(100)), b: file('many-2.json', tools(50)) }))
  await expect(changes(page).first()).toBeVisible()
  await expect(page.getByText(/1,000 tools compared · 1,\d{3} differences/)).toBeVisible()
  expect(await changes(page).count()).toBeLessThan(40)
  expect(await page.getByTestId('outline-item').count()).toBeLessThan(60)
  await expect(page.getByText('U+202E').first()).toBeVisible()
  for (let step = 0; step < 30; step += 1) await page.keyboard.press('j')
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('diff-change-29')
  await page.getByTestId('outline-item').first().focus()
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 2, name: 'tool_999' })).toBeInViewport()
  await expect(page.getByTestId('outline-item').last()).toHaveAttribute('aria-current', 'location')
  expect(await page.title()).not.toContain('pwned')
  expect(thrown).toEqual([])
  await running.stop()
})

test('diff page: has no axe violation, wide and narrow', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/diff'))
  await expect(page.getByText('Other references')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'nothing chosen')
  await page.goto(at(toolscope, { a: older, b: 'acme' }))
  await expect(changes(page).first()).toBeVisible()
  for (const toggle of await page
    .getByRole('button', { name: /Before and after in full|How this was/ })
    .all())
    await toggle.click()
  await expectNoViolationsWideAndNarrow(page, 'changes')
  await page.getByRole('button', { name: 'Full schemas of api deploy' }).click()
  await expect(page.locator('.monaco-diff-editor')).toContainText('^b-[0-9]+$')
  await expectNoViolationsWideAndNarrow(page, 'schemas')
  await page.goto(at(toolscope, { a: 'no-such-file.json', b: 'acme' }))
  await expect(page.getByRole('alert')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'error')
})
