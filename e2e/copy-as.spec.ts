/** "Copy as": what lands on the clipboard is the call of the moment, and runs. */
import { execFileSync } from 'node:child_process'
import type { Page } from '@playwright/test'
import { project } from '../scripts/project.mjs'
import { program, type Running } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

test.beforeEach(({ context, toolscope }) =>
  context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: toolscope.origin }),
)

async function fillName(page: Page, toolscope: Running, value: string): Promise<void> {
  await page.goto(toolscope.urlOf('/'))
  await page.locator('[data-tool="acme/api greet"]').click()
  await page.getByTestId('tool-form').getByRole('textbox', { name: 'name', exact: true }).fill(value)
}

async function copied(page: Page, title: string): Promise<string> {
  await page.getByTestId('copy-as').click()
  await page.getByRole('menuitem', { name: title, exact: true }).click()
  await expect(page.getByTestId('brief')).toHaveText('Copied')
  return page.evaluate(() => navigator.clipboard.readText())
}

const name = "Ada's `id` $HOME 🎈"

test('copy as: copies the current input in each form, and the copied commands run', async ({
  page,
  toolscope,
}) => {
  await fillName(page, toolscope, name)
  const run = (line: string, env = {}) =>
    execFileSync('sh', ['-c', line], { cwd: project('.'), env: { ...process.env, ...env } }).toString()
  expect(run(await copied(page, 'Shell command'))).toContain(name)
  const call = (await copied(page, 'toolscope call')).replace(
    /^toolscope/,
    `'${process.execPath}' '${program}'`,
  )
  expect(run(call)).toContain(name)
  const token = { TOOLSCOPE_TOKEN: toolscope.token }
  const script = await copied(page, 'TypeScript fetch')
  expect(script).not.toContain(toolscope.token)
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, ...token },
  })
  expect(printed.toString()).toContain(name)
  expect(await copied(page, 'curl to Toolscope')).not.toContain(toolscope.token)
  expect(JSON.parse(await copied(page, 'MCP tools/call'))).toMatchObject({
    method: 'tools/call',
    params: { name: 'api greet', arguments: { name } },
  })
  const link = await copied(page, 'Link with input')
  expect(link).not.toContain(toolscope.token)
  await fillName(page, toolscope, 'someone else')
  await page.goto(link)
  await expect(page.getByTestId('tool-form').getByRole('textbox', { name: 'name', exact: true })).toHaveValue(
    name,
  )
  await expect(page.getByTestId('brief')).toContainText('Filled from the link.')
  await expect(page).toHaveURL(/tool=acme\/api\+greet$/)
})

test('copy as: opens, copies and reports the copy by keys alone', async ({ page, toolscope }) => {
  await fillName(page, toolscope, 'Grace')
  await page.getByTestId('copy-as').focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await expectNoViolations(page, 'the open menu')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem').nth(1)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status').filter({ hasText: 'Copied' })).toBeVisible()
  await expect(page.getByTestId('copy-as')).toBeFocused()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^toolscope call /)
})
