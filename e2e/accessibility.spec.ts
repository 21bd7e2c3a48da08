/**
 * axe with every WCAG 2.2 A and AA rule, as hard failures. The catalog, forms and results are scanned in all modes, the other
 * states as in the other files.
 */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { acme, startToolscope } from '../scripts/toolscope-program.ts'
import {
  expectNoViolations,
  expectNoViolationsInAllModesWideAndNarrow,
  expectNoViolationsWideAndNarrow,
} from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

/** Opens a tool by the list, looks at its form, calls it and looks at the result. */
async function expectToolWithoutBarrier(page: Page, ref: string, isInvalid = false): Promise<void> {
  await page.locator(`[data-tool="${ref}"]`).click()
  await expect(page.getByTestId('tool-title')).toHaveText(ref.slice('acme/'.length))
  await expect(page.getByTestId('tool-form')).toBeVisible()
  await expectNoViolationsInAllModesWideAndNarrow(page, `${ref}: form`)
  await page.getByTestId('call-button').click()
  if (isInvalid) await page.getByRole('button', { name: 'Send anyway' }).click()
  await expect(page.getByTestId('result-status')).toBeVisible()
  await expectNoViolationsInAllModesWideAndNarrow(page, `${ref}: result`)
}

test('page: has no axe violation in the catalog and in a tool with an invalid input', async ({
  page,
  toolscope,
}) => {
  await page.goto(toolscope.urlOf('/'))
  await expect(page.getByTestId('catalog-row').first()).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Try an example' })).toBeVisible()
  await expectNoViolationsInAllModesWideAndNarrow(page, 'catalog and start')
  await expectToolWithoutBarrier(page, 'acme/api deploy', true)
})

test('page: has no axe violation with an invalid output and with a call that fails', async ({
  page,
  toolscope,
}) => {
  await page.goto(toolscope.urlOf('/'))
  await expectToolWithoutBarrier(page, 'acme/legacy inventory')
  await expectToolWithoutBarrier(page, 'acme/people suspend', true)
})

test('page: has no axe violation in the reference and in the JSON tab', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/?tool=acme/people+suspend'))
  await page.getByTestId('reference-tab').click()
  await expect(page.getByTestId('reference')).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'reference')
  await page.getByTestId('json-tab').click()
  await expect(page.locator('.monaco-editor').first()).toBeVisible()
  await expectNoViolationsWideAndNarrow(page, 'json')
})

test('page: has no axe violation without a source', async ({ page }) => {
  const running = await startToolscope([], '/')
  await page.goto(running.urlOf('/'))
  await expect(page.getByRole('button', { name: 'Open acme' })).toBeVisible()
  await expectNoViolations(page, 'first run')
  await running.stop()
})

async function typeInPalette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill(text)
}

/** The pages and windows that no other file looks at, each by its address and what opens it. */
const states: readonly { name: string; path: string; open?: (page: Page) => Promise<void> }[] = [
  { name: 'start with a recent call', path: '/' },
  { name: 'a source', path: '/?about=acme' },
  { name: 'versions of a tool', path: '/?tool=acme/api+greet&tab=versions' },
  { name: 'no sources compared', path: '/compare' },
  { name: 'unknown address', path: '/nothing' },
  { name: 'unknown tool', path: '/?tool=acme/nothing' },
  { name: 'settings', path: '/', open: page => page.getByRole('button', { name: 'Settings' }).click() },
  { name: 'keys', path: '/', open: page => page.keyboard.press('?') },
  {
    name: 'palette',
    path: '/',
    async open(page) {
      await typeInPalette(page, 'remove acme')
      await expect(page.getByRole('option', { name: 'Remove acme' })).toBeVisible()
    },
  },
  {
    name: 'export',
    path: '/',
    async open(page) {
      await typeInPalette(page, 'export')
      await page.getByRole('option', { name: /^Export/ }).click()
      await expect(page.getByRole('dialog')).toContainText('toolscope export')
    },
  },
  ...['localhost:3000', '{"mcpServers": {"one": {"command": "node"}}}', 'no-such-program'].map(text => ({
    name: `add source: ${text}`,
    path: '/sources',
    async open(page: Page) {
      await page.getByRole('main').getByRole('button', { name: 'Add source' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('From another client').click()
      await dialog.getByRole('textbox').first().fill(text)
      await expect(dialog.getByRole('status').first()).not.toContainText('Nothing starts')
    },
  })),
]

test('page: has no axe violation on the pages and windows that no other test file checks', async ({
  page,
  toolscope,
}) => {
  const body = { ref: 'acme/api greet', inputText: '{"name":"Ada"}' }
  await (await toolscope.request('/api/invocations', body)).text()
  for (const { name, path, open } of states)
    await test.step(name, async () => {
      await page.goto(toolscope.urlOf(path))
      await expect(page.getByText(/^\d+ tools · /)).toBeVisible()
      await expect(page.getByText(/^(Loading|Reading)/)).toHaveCount(0)
      await open?.(page)
      const scope = open && ':is([role=dialog], [role=menu])'
      if (scope) await expect(page.locator(scope)).toBeVisible()
      await expectNoViolationsWideAndNarrow(page, name, scope)
    })
})

test('page: has no overlap in the top bar, no broken heading and no cut field at each width', async ({
  page,
  folder,
}) => {
  const broken = { command: ['node', 'nothing.mjs'] }
  const sources = { acme: { command: ['node', acme] }, first: broken, second: broken, third: broken }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  const running = await startToolscope(['--config', join(folder, 'toolscope.json')])
  await page.goto(running.urlOf('/history'))
  // A chip that does not fit is hidden.
  await expect(page.getByRole('button', { name: 'third failed', includeHidden: true })).toBeAttached()
  for (const width of [1440, 1280, 1024, 720, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => page.evaluate(overlapsInTopBar), `top bar at ${width} px`).toEqual([])
    const heading = page.getByRole('heading', { name: 'History', level: 1 })
    // The page of a narrow window is another one: for a moment there is no heading.
    const readHeight = async () => (await heading.boundingBox())?.height ?? 0
    await expect.poll(readHeight, `heading at ${width} px`).toBeGreaterThan(0)
    await expect.poll(readHeight, `heading at ${width} px`).toBeLessThan(40)
    await page.getByRole('button', { name: 'Add source' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('localhost:3000')
    await expect(dialog.getByRole('textbox')).toHaveCount(2)
    for (const field of await dialog.getByRole('textbox').all())
      await expect(field, `field at ${width} px`).toBeInViewport({ ratio: 0.99 })
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await running.stop()
})

/** Runs in the page: pairs of what is seen in the top bar that lie over one another, as their texts. */
function overlapsInTopBar(): string[] {
  const all = document.querySelector('header')?.querySelectorAll('button, a, kbd') ?? []
  const seen = [...all].filter(each => each.checkVisibility({ visibilityProperty: true }))
  return seen.flatMap((a, index) =>
    seen.slice(index + 1).flatMap(b => {
      if (a.contains(b)) return []
      const [one, other] = [a.getBoundingClientRect(), b.getBoundingClientRect()]
      const isApart = one.right <= other.left + 0.5 || other.right <= one.left + 0.5
      return isApart ? [] : [`${a.textContent} × ${b.textContent}`]
    }),
  )
}

test('page: shows the chosen tab and row, the health of sources and the focus in forced colours', async ({
  page,
  folder,
}) => {
  const config = {
    sources: { acme: { command: ['node', acme] }, broken: { command: ['node', 'nothing.mjs'] } },
  }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify(config))
  const running = await startToolscope(['--config', join(folder, 'toolscope.json')])
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(running.urlOf('/?tool=acme/api+greet'))
  const tabs = page.getByRole('tablist', { name: 'Input' }).getByRole('tab')
  await expect(tabs.first()).toBeVisible()
  const looks = await tabs.evaluateAll(found => found.map(tab => getComputedStyle(tab).borderBottomColor))
  expect(new Set(looks).size).toBe(2)
  expect(looks.filter(look => look === looks[0])).toHaveLength(1)
  const rows = page.getByRole('treeitem')
  const lines = await rows.evaluateAll(found => found.map(row => getComputedStyle(row).borderLeftColor))
  expect(lines.filter(line => line !== lines[0])).toHaveLength(1)
  await expect(page.getByRole('button', { name: 'broken failed' })).toBeVisible()
  const shape = (name: string) =>
    page
      .locator(`nav [data-source="${name}"] [data-tone]`)
      .first()
      .evaluate(dot => [getComputedStyle(dot).borderRadius, getComputedStyle(dot).borderTopStyle].join(' '))
  expect(await Promise.all([shape('acme'), shape('broken')])).toEqual(['50% solid', '0px solid'])
  await page.keyboard.press('Tab')
  const outline = await page.evaluate(
    () => document.activeElement && getComputedStyle(document.activeElement).outlineStyle,
  )
  expect(outline).toBe('solid')
  await running.stop()
})

test('page: follows the theme of the system while it renders', async ({ page, toolscope }) => {
  await page.goto(toolscope.urlOf('/'))
  await expect(page.getByRole('treeitem').first()).toBeVisible()
  await page.evaluate(() => {
    let count = 0
    setInterval(() => history.replaceState(history.state, '', `/?q=${'ab'[count++ % 2]}`), 1)
  })
  for (let round = 0; round < 10; round++) {
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expect(page.getByRole('button', { name: 'Light theme' })).toBeVisible()
    await page.emulateMedia({ colorScheme: 'light' })
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  }
})
