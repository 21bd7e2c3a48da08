/** The console on the built program: scripts over an MCP server and the example program. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { project } from '../scripts/project.mjs'
import { limitNow } from '../scripts/test-processes.ts'
import { acme, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations, expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, publishedServer, testServed } from './support/toolscope.ts'

const base = testServed(async folder => {
  const sources = {
    acme: { command: ['node', acme] },
    garden: { functions: project('examples/functions'), environment: { LLM_MCP_NEED_CONFIRM: '^clear_.*' } },
    memory: {
      mcp: {
        command: ['node', publishedServer('server-memory')],
        env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
      },
    },
  }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  return startToolscope(['--trust'], folder)
})

const test = base.extend<{ console: Page }>({
  console: async ({ served, page }, use) => {
    await page.goto(served.urlOf('/console'))
    await expect(page.getByTestId('script-run')).toBeEnabled()
    await use(page)
  },
})

const editor = (page: Page) => page.getByTestId('script-editor').getByRole('textbox', { name: 'Script' })

/** Replaces the script in the editor, once the editor itself has replaced the text field that is shown first. */
async function setScript(page: Page, script: string): Promise<void> {
  await expect(page.getByTestId('script-editor').locator('.monaco-editor')).toBeVisible()
  await editor(page).focus()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(script)
}

/** Expects the script in the editor to be `text`. Monaco draws a space as a non-breaking one. */
async function expectScript(page: Page, text: string): Promise<void> {
  const lines = page.getByTestId('script-editor').locator('.view-line')
  const drawn = async () => (await lines.allTextContents()).join('\n').replaceAll('\u00a0', ' ')
  await expect.poll(drawn).toBe(text)
}

/** Types a script and runs it by the key. */
async function run(page: Page, script: string): Promise<void> {
  await expect(page.getByTestId('script-run')).toBeEnabled()
  await setScript(page, script)
  await page.keyboard.press('ControlOrMeta+Enter')
}

const status = (page: Page) => page.getByTestId('script-status')
const output = (page: Page) => page.getByTestId('script-output')
const rows = (page: Page) => page.getByTestId('trace-row')

test('console: filters a value from an MCP server, and gives it to a program', async ({ console: page }) => {
  await run(
    page,
    `create_entities --entities '[{"name":"Ada","entityType":"person","observations":["likes engines"]}]' > /dev/null
who=$(search_nodes --query engines | jq -r '.entities[0].name')
echo "found: $who"
api_greet --name "$who" | jq -r .greeting`,
  )
  await expect(status(page)).toHaveText('exit 0')
  await expect(output(page)).toContainText('found: Ada')
  await expect(output(page)).toContainText('Good day, Ada')
  await expect(rows(page)).toHaveText([/create_entities/, /search_nodes/, /api_greet.*valid/])

  await rows(page).last().click()
  const trace = page.getByTestId('script-trace')
  await expect(trace.getByText('{"name":"Ada"}')).toBeVisible()
  await expect(trace.getByTestId('result-status')).toContainText('done')
  await expect(trace.getByTestId('result-verdict')).toHaveText('output valid')
  await expect(trace.getByTestId('result-view')).toContainText('Good day, Ada')
})

test('console: cancels a script at once in the middle of a call', async ({ console: page }) => {
  await run(page, 'echo begin\nops_logs --release r-2291 --seconds 40\necho never')
  await expect(rows(page)).toHaveAttribute('data-status', 'running')
  await expect(output(page)).toContainText('begin')
  const started = Date.now()
  await page.keyboard.press('Escape')
  await expect(status(page)).toContainText('cancelled')
  expect(Date.now() - started).toBeLessThan(limitNow(3_000))
  await expect(rows(page)).toHaveAttribute('data-status', 'cancelled')
  await expect(output(page)).not.toContainText('never')
})

test('console: goes on after a tool fails when the script handles the failure', async ({ console: page }) => {
  await run(page, 'ops_rollback --release r-1 --reason "trying it out" || echo "handled $?"\napi_greet')
  await expect(status(page)).toHaveText('exit 2')
  await expect(output(page)).toContainText('handled 1')
  await expect(output(page)).toContainText("api_greet: schema error: required property 'name' is missing")
  await expect(rows(page).nth(0)).toHaveAttribute('data-status', 'failure')
  await expect(rows(page).nth(1)).toHaveAttribute('data-status', 'refused')
})

test('console: ends endless scripts, and gives a hostile script no file and no network', async ({
  console: page,
}) => {
  await run(page, 'echo before; while true; do :; done')
  await expect(status(page)).toHaveText('ended at a limit · exit 124')
  await expect(output(page)).toContainText('before')
  for (const script of [':(){ :|:& };:', `jq -n '[range(1000000000)] | length'`]) {
    await run(page, script)
    await expect(status(page)).toContainText(/exit 12[45]/)
  }
  // Nothing of it comes back to the event loop: only ending the worker helps.
  await run(page, `jq -n 'def f: f; f'`)
  await expect(status(page)).toHaveText('running')
  await page.keyboard.press('Escape')
  await expect(status(page)).toContainText('cancelled')

  await run(
    page,
    'cat /etc/passwd; cat toolscope.json; env; curl -s http://127.0.0.1/; echo > /dev/tcp/127.0.0.1/80',
  )
  await expect(status(page)).toHaveText('exit 1')
  await expect(output(page)).not.toContainText('root:')
  await expect(output(page)).not.toContainText('sources')
  await expect(output(page)).toContainText('network access not configured')
})

test('console: asks before a script that names a tool that asks first, and refuses a name built at run time', async ({
  console: page,
}) => {
  await run(page, 'garden_clear_garden --dry-run | jq .valid')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('garden_clear_garden')
  await dialog.getByRole('button', { name: 'Do not run' }).click()
  await expect(status(page)).toHaveCount(0)
  await run(page, 'garden_clear_garden --dry-run | jq .valid')
  await dialog.getByRole('button', { name: 'Run the script' }).click()
  await expect(status(page)).toHaveText('exit 0')
  await expect(output(page)).toContainText('true')
  // Its name was put together while the script ran: nobody was asked.
  await run(page, 'name=clear_garden; "garden_$name"')
  await expect(output(page)).toContainText('it needs a confirmation')
})

test('console: completes commands, flags and values by keys, and recalls the scripts of earlier runs', async ({
  console: page,
}) => {
  await setScript(page, '')
  await page.keyboard.type('api_dep')
  await expect(page.getByRole('option', { name: 'api_deploy' })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('option', { name: '--build' })).toBeVisible()
  await page.keyboard.type('--env')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('option', { name: 'staging' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Tab')
  await expectScript(page, 'api_deploy --environment staging ')

  await run(page, 'echo one')
  await expect(output(page)).toHaveText('one')
  await run(page, 'echo two')
  await expect(output(page)).toHaveText('two')
  await setScript(page, 'draft')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expectScript(page, 'echo one')
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expectScript(page, 'draft')
})

test('console: saves a script as a file, and opens it by its address', async ({ console: page, served }) => {
  await setScript(page, 'echo kept')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('nightly-check')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/console\?script=nightly-check$/)
  const file = join(served.serverFolder, 'toolscope.scripts/nightly-check.sh')
  expect(readFileSync(file, 'utf8')).toBe('echo kept\n')
  await setScript(page, 'something else')
  await page.reload()
  await expectScript(page, 'echo kept\n')
})

test('console: lets only its worker compile WebAssembly, and loads the engine only when the console opens', async ({
  served,
  page,
}) => {
  const fetched: { url: string; policy: string }[] = []
  page.on('response', response => {
    fetched.push({
      url: response.url(),
      policy: response.headers()['content-security-policy'] ?? '',
    })
  })
  const heavy = () => fetched.filter(({ url }) => /\.wasm$|script\.worker/.test(url))
  await page.goto(served.urlOf('/'))
  await expect(page.getByTestId('catalog-row').first()).toBeVisible()
  expect(heavy()).toEqual([])
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page).toHaveURL(/\/console$/)
  await run(page, 'echo ready')
  await expect(output(page)).toHaveText('ready')
  const worker = fetched.find(({ url }) => url.includes('script.worker'))
  expect(worker?.policy).toBe("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'")
  for (const { url, policy } of fetched)
    if (!url.includes('script.worker')) expect(policy, url).not.toContain('unsafe-eval')
})

test('console: applies set limits to the next run, keeps them over a reload, and resets them to the defaults', async ({
  console: page,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Limits of scripts' })
  await page.getByRole('button', { name: 'Limits', exact: true }).click()
  await dialog.getByLabel('Calls of tools').fill('0')
  await expect(dialog).toContainText('Enter a whole number from 1 to 1,000,000.')
  await expect(dialog.getByRole('button', { name: 'Set limits' })).toBeDisabled()
  await dialog.getByLabel('Calls of tools').fill('1')
  await expectNoViolations(page, 'limits')
  await page.keyboard.press('Enter')
  await page.reload()
  const script = 'api_greet --name Ada | jq -r .greeting\napi_greet --name Grace | jq -r .greeting'
  await run(page, script)
  await expect(status(page)).toHaveText('ended at a limit · exit 124')
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Limits (changed)' }).click()
  await dialog.getByRole('button', { name: 'Defaults' }).click()
  await dialog.getByRole('button', { name: 'Set limits' }).click()
  await run(page, script)
  await expect(status(page)).toHaveText('exit 0')
})

test('console: has no axe violation, wide and narrow', async ({ console: page }) => {
  await run(page, 'api_greet --name Ada | jq -r .greeting\napi_greet')
  await expect(status(page)).toHaveText('exit 2')
  await expectNoViolationsWideAndNarrow(page, 'console after a run')
  await rows(page).first().click()
  await expect(page.getByTestId('result-view')).toBeVisible()
  await expect(page.getByTestId('result-view')).toBeInViewport()
  await expectNoViolationsWideAndNarrow(page, 'console with a call')
  await page.setViewportSize({ width: 375, height: 800 })
  await expect(page.getByTestId('result-view')).toBeInViewport()
  for (const width of [375, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await setScript(page, '')
    await page.keyboard.type('api_deploy --e')
    await expect(page.getByRole('option').first()).toBeVisible()
    await expectNoViolations(page, `console with completion at ${width} px`)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(wide).toBeLessThanOrEqual(width)
  }
})
