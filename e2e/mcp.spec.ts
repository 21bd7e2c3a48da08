/** Published MCP servers from an mcp.json, in the page: called for real, killed, restarted, and ended with the program. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { project } from '../scripts/project.mjs'
import { limitNow, processesWith } from '../scripts/test-processes.ts'
import { type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, publishedServer, testServed } from './support/toolscope.ts'

interface Served extends Running {
  /** What every server process of this program has in its environment. */
  readonly mark: string
}

async function serve(folder: string): Promise<Served> {
  const env = { E2E_MARK: folder }
  const file = join(folder, 'mcp.json')
  writeFileSync(
    file,
    JSON.stringify({
      mcpServers: {
        everything: { command: process.execPath, args: [publishedServer('server-everything'), 'stdio'], env },
        memory: {
          command: process.execPath,
          args: [publishedServer('server-memory')],
          env: { ...env, MEMORY_FILE_PATH: join(folder, 'memory.json') },
        },
        broken: {
          command: process.execPath,
          args: ['-e', 'console.error("No database at db.example"); process.exit(3)'],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp.json's own way to name a variable
          env: { ...env, DATABASE: '${env:TOOLSCOPE_E2E_UNSET}' },
        },
        quirks: {
          command: process.execPath,
          args: [project('server/sources/fixtures/mcp-quirks-new.mjs')],
          env,
        },
        asleep: { command: process.execPath, args: [publishedServer('server-memory')], env, disabled: true },
      },
    }),
  )
  return { ...(await startToolscope([file])), mark: folder }
}

const test = testServed(serve)

async function openTool(page: Page, served: Running, ref: string): Promise<void> {
  if (page.url().startsWith(served.origin)) {
    // By the list: the page is loaded once.
    const name = ref.split('/').at(-1) ?? ''
    await page.getByTestId('catalog-search').fill(name)
    // The list moves under the pointer while it is filtered, and while a source comes back.
    await expect(async () => {
      await page.locator(`[data-testid="catalog-row"][data-tool="${ref}"]`).click()
      await expect(page.getByTestId('tool-title')).toHaveText(name, { timeout: limitNow(2_000) })
    }).toPass()
  } else await page.goto(served.urlOf(`/?tool=${encodeURIComponent(ref)}`))
  await expect(page.getByTestId('tool-form')).toBeVisible()
}

/** By its accessible name: the label next to it contains a star as well. */
const field = (page: Page, name: string) =>
  page.getByTestId('tool-form').getByRole('textbox', { name, exact: true })

const call = (page: Page) => page.getByTestId('call-button').click()

test('MCP call: shows the answers of echo and sum', async ({ page, served }) => {
  await openTool(page, served, 'everything/echo')
  await field(page, 'message').fill('Hello, Ada')
  await call(page)
  await expect(page.getByTestId('result-view')).toContainText('Hello, Ada')
  await openTool(page, served, 'everything/get-sum')
  await field(page, 'a').fill('19')
  await field(page, 'b').fill('23')
  await call(page)
  await expect(page.getByTestId('result-view')).toContainText('42')
})

test('MCP call: checks structured content against the output schema', async ({ page, served }) => {
  await openTool(page, served, 'everything/get-structured-content')
  await page.getByRole('button', { name: 'Fill example' }).click()
  await call(page)
  await expect(page.getByTestId('result-verdict')).toHaveText('output valid')
  await expect(page.getByTestId('result-view')).toContainText('temperature')
})

test('MCP result: draws an image, shows links and resources, and saves bytes', async ({ page, served }) => {
  await openTool(page, served, 'everything/get-tiny-image')
  await call(page)
  const image = page.getByTestId('result-view').locator('img')
  await expect.poll(() => image.evaluate(each => (each as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
  await openTool(page, served, 'everything/get-resource-links')
  await call(page)
  await expect(page.getByTestId('result-view')).toContainText('demo://resource')
  await openTool(page, served, 'everything/get-resource-reference')
  await field(page, 'resourceId').fill('1')
  await call(page)
  await expect(page.getByTestId('result-view')).toContainText('Resource 1')
  await openTool(page, served, 'everything/gzip-file-as-resource')
  await field(page, 'name').fill('notes.txt.gz')
  await field(page, 'data').fill('data:text/plain,hello')
  await page.getByTestId('tool-form').getByRole('radio', { name: 'resource', exact: true }).check()
  await call(page)
  const download = page.waitForEvent('download')
  await page.getByTestId('result-view').getByRole('link', { name: 'Save notes.txt.gz' }).click()
  expect((await download).suggestedFilename()).toBe('notes.txt.gz')
})

test('MCP result: shows a sound in a player that can load it', async ({ page, served }) => {
  await openTool(page, served, 'quirks/audio')
  await call(page)
  const audio = page.getByTestId('result-view').locator('audio')
  await expect(audio).toBeVisible()
  await expect.poll(() => audio.evaluate(each => (each as HTMLAudioElement).error?.message ?? '')).toBe('')
  await expect.poll(() => audio.evaluate(each => (each as HTMLAudioElement).readyState)).toBeGreaterThan(0)
})

test('MCP call: has the limit next to its button, and progress starts it again', async ({ page, served }) => {
  await openTool(page, served, 'everything/trigger-long-running-operation')
  const limit = page.getByTestId('time-limit')
  await expect(limit).toHaveText('60 s')
  await limit.click()
  await page.getByRole('dialog').getByLabel('Time limit').fill('1s')
  await page.keyboard.press('Enter')
  await expect(limit).toHaveText('1 s')
  await field(page, 'duration').fill('2')
  await field(page, 'steps').fill('10')
  await call(page)
  await expect(page.getByTestId('result-view')).toContainText('Long running operation completed')
  await field(page, 'steps').fill('1')
  await call(page)
  await expect(page.getByText('longer than its time limit of 1 s')).toBeVisible()
})

test('MCP call: shows its progress as a bar while it runs', async ({ page, served }) => {
  await openTool(page, served, 'everything/trigger-long-running-operation')
  await field(page, 'duration').fill('3')
  await field(page, 'steps').fill('3')
  await call(page)
  const bar = page.getByRole('progressbar', { name: 'Progress' })
  await expect(bar).toHaveAttribute('max', '3')
  await expect(bar).toHaveAttribute('value', '2')
  await expect(page.getByTestId('result-view')).toContainText('completed')
  await expect(bar).toHaveCount(0)
})

test('source page: shows the server, protocol and log, and the reason and unset variables of a failed source', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/'))
  await page.getByRole('button', { name: /^broken failed/ }).click()
  const about = page.getByRole('region', { name: 'Source', exact: true })
  await expect(about).toContainText('No database at db.example')
  await expect(about).toContainText('exited (code 3) during the MCP handshake')
  await expect(about).toContainText('env:TOOLSCOPE_E2E_UNSET} has no value')
  await page.getByRole('button', { name: /^everything is ready/ }).click()
  await expect(about).toContainText('mcp-servers/everything')
  await expect(about).toContainText(/Protocol\s*20\d\d-\d\d-\d\d/)
  await about.getByRole('button', { name: 'Log', exact: true }).click()
  await expect(page.getByTestId('source-log')).toContainText('Starting default (STDIO) server')
  await expectNoViolations(page, 'source with its log')
})

test('source page: does not run a disabled server, and starts, restarts and stops it on request', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/?about=asleep'))
  const about = page.getByRole('region', { name: 'Source', exact: true })
  const status = (word: string) => about.getByText(word, { exact: true })
  await expect(about).toContainText('It does not run until you start it.')
  const memories = () => processesWith(served.mark).filter(each => each.command.includes('server-memory'))
  expect(memories()).toHaveLength(1)
  const other = memories()[0]?.pid
  await about.getByRole('button', { name: 'Start' }).click()
  await expect(status('ready')).toBeVisible()
  await expect(about.getByText('9 tools')).toBeVisible()
  const before = memories().find(each => each.pid !== other)
  await about.getByRole('button', { name: 'Restart' }).click()
  await expect.poll(() => memories().some(each => each.pid === before?.pid)).toBe(false)
  await expect(status('ready')).toBeVisible()
  await about.getByRole('button', { name: 'Stop' }).click()
  await expect(status('stopped')).toBeVisible()
  await expect.poll(() => memories().length).toBe(1)
})

test('MCP call: fails within two seconds when its server is killed, and other servers still answer', async ({
  page,
  folder,
}) => {
  const served = await serve(folder)
  try {
    await openTool(page, served, 'everything/trigger-long-running-operation')
    await field(page, 'duration').fill('60')
    await field(page, 'steps').fill('120')
    await call(page)
    // The server is at work on it: killed before, it would be started again and take the call then.
    await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible()
    const [victim] = processesWith(served.mark).filter(each => each.command.includes('server-everything'))
    if (victim === undefined) throw new Error('the server does not run')
    process.kill(victim.pid, 'SIGKILL')
    await expect(page.getByTestId('result-status')).toHaveText(/connection failed/, {
      timeout: limitNow(2_000),
    })
    await expect(page.getByTestId('result-panel')).toContainText('SIGKILL')
    await openTool(page, served, 'memory/read_graph')
    await call(page)
    await expect(page.getByTestId('result-status')).toContainText('done')
    await openTool(page, served, 'everything/echo')
    await field(page, 'message').fill('back again')
    await call(page)
    await expect(page.getByTestId('result-view')).toContainText('back again')
  } finally {
    await served.stop()
  }
})

test('program: leaves no MCP server running when it ends', async ({ page, folder }) => {
  const served = await serve(folder)
  await openTool(page, served, 'everything/trigger-long-running-operation')
  await field(page, 'duration').fill('60')
  await call(page)
  await expect(page.getByTestId('cancel-button')).toBeVisible()
  expect(processesWith(served.mark).length).toBeGreaterThanOrEqual(2)
  await served.stop()
  expect(processesWith(served.mark)).toEqual([])
})
