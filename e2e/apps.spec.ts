/** Apps of tools (MCP Apps): an honest one, and what hostile ones reach. */
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { chromiumLaunchOptions } from '../scripts/chromium.mjs'
import { project } from '../scripts/project.mjs'
import { acme, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, testServed } from './support/toolscope.ts'

/** An HTTP server and a UDP socket that no app may reach, with what they received. */
async function listenForLeaks() {
  const received: string[] = []
  const http: Server = createServer((request, response) => {
    received.push(String(request.url))
    response.end()
  })
  const udp: Socket = createSocket('udp4').on('message', () => received.push('udp'))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  await new Promise<void>(resolve => udp.bind(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  return {
    received,
    environment: { EVIL: `http://127.0.0.1:${port}`, EVIL_UDP: String(udp.address().port) },
    close() {
      http.closeAllConnections()
      http.close()
      udp.close()
    },
  }
}

const test = testServed(async folder => {
  const leaks = await listenForLeaks()
  const fixture = project('server/sources/fixtures/mcp-apps.mjs')
  const { EVIL, EVIL_UDP } = leaks.environment
  const running = await startToolscope(
    [
      `mcp:${process.execPath} ${fixture}`,
      `${process.execPath} ${acme}`,
      '--env',
      `EVIL=${EVIL}`,
      '--env',
      `EVIL_UDP=${EVIL_UDP}`,
    ],
    folder,
    { TOOLSCOPE_DATA_DIR: folder },
  )
  const stop = async () => {
    await running.stop()
    leaks.close()
  }
  return { ...running, stop, leaks }
})

// Desktop browsers give each site a process of its own; the headless shell does so only with this switch.
const { args, ...launchOptions } = chromiumLaunchOptions()
test.use({ launchOptions: { ...launchOptions, args: [...args, '--site-per-process'] } })

/** Opens a tool of the fixture from the catalog, without loading the page again, and calls it. */
async function run(page: Page, name: string): Promise<void> {
  await page.getByTestId('catalog-search').fill(name)
  await page.locator(`[data-tool="mcp-apps/${name}"]`).click()
  await expect(page.getByTestId('tool-title')).toHaveText(name)
  await page.getByTestId('call-button').click()
}

const app = (page: Page) => page.frameLocator('[data-testid=app-frame] iframe').frameLocator('iframe')
const panel = (page: Page) => page.getByTestId('result-panel')

test('app: gets the input, the result and the theme of its call, and asks before it acts', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/?tool=mcp-apps/sum'))
  const form = page.getByTestId('tool-form')
  await form.getByLabel('a', { exact: true }).fill('2')
  await form.getByLabel('b', { exact: true }).fill('3')
  await page.getByTestId('call-button').click()
  await expect(panel(page).getByRole('tab').first()).toHaveText('App')
  await expect(app(page).locator('#input')).toHaveText('input {"a":2,"b":3}')
  await expect(app(page).locator('#result')).toHaveText('sum 5')
  await app(page).getByRole('button', { name: 'Add one' }).click()
  await expect(app(page).locator('#result')).toHaveText('sum 6')

  // Another tab does not end the app.
  await panel(page).getByRole('tab', { name: 'Tree' }).click()
  await expect(page.getByTestId('result-view')).toContainText('sum')
  await panel(page).getByRole('tab', { name: 'App' }).click()
  await expect(app(page).locator('#result')).toHaveText('sum 6')

  const dialog = page.getByRole('dialog')
  const said = app(page).locator('#said')
  await app(page).getByRole('button', { name: 'Erase' }).click()
  await expect(dialog).toContainText('Call erase?')
  await expect(dialog).toContainText('"everything": true')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(said).toContainText('did not allow')
  await app(page).getByRole('button', { name: 'Open link' }).click()
  await expect(dialog).toContainText('https://example.com/?a=1')
  await expectNoViolations(page, 'the question of an app')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(said).toHaveText('link {"isError":true}')
  await app(page).getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toContainText('sum.txt · 3 B')
  const saved = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await saved).suggestedFilename()).toBe('sum.txt')
  await expect(said).toHaveText('save {}')
  await app(page).getByRole('button', { name: 'Message' }).click()
  await expect(page.getByRole('region', { name: 'Message for a model' })).toContainText('What is next?')

  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(app(page).locator('#theme')).toHaveText('theme dark')
  const details = page.getByTestId('app-details')
  await details.getByText('App details').click()
  await expect(details).toContainText('ui/notifications/tool-input')
  await expectNoViolations(page, 'an app with its details')
  await app(page).getByRole('button', { name: 'End' }).click()
  await expect(panel(page)).toContainText('It ended itself.')

  // The calls of an app are in the history, like those of the page.
  const history = await (await served.request('/api/history?origin=app')).json()
  expect(history.invocations.map((call: { ref: string }) => call.ref)).toEqual(['mcp-apps/add'])
  // After a reload the app runs only if the user wants it to.
  await page.reload()
  await page.getByRole('button', { name: 'Run the app' }).click()
  await expect(app(page).locator('#result')).toHaveText('sum 5')
})

test('hostile apps: reach neither the page nor the network nor another tool', async ({ page, served }) => {
  await page.goto(served.urlOf('/?tool=mcp-apps/probe'))
  const context = page.getByRole('region', { name: 'Context for a model' })
  await run(page, 'probe')
  await expect(context).toContainText('own: ')
  const results = (await context.locator('pre').innerText()).split('\n')
  expect(results.length).toBeGreaterThan(31)
  expect(results.filter(line => !line.endsWith(': refused'))).toEqual([
    expect.stringContaining(
      'own: {"content":[{"type":"text","text":"add done"}],"structuredContent":{"sum":42}',
    ),
  ])
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByTestId('app-details')).toContainText(/\d+ blocked/)
  await page.getByTestId('app-details').getByText('App details').click()
  const blockedRequests = page.getByRole('region', { name: 'Blocked by the browser' })
  await expect(blockedRequests).toContainText('/late by img-src')
  await expect(blockedRequests).not.toContainText('forged')

  for (const [name, reason] of [
    ['flood', 'sent too many messages'],
    ['flood past the frame', 'sent messages past its frame'],
    ['giant message', 'sent too much data'],
    ['long list', 'too many values'],
    ['deep message', 'too many levels'],
    ['many values', 'too many values'],
    ['take the focus', 'took the focus'],
    ['leave by address', 'left its page'],
    ['leave by data', 'left its page'],
    ['leave by form', 'left its page'],
    ['leave by refresh', 'left its page'],
    ['reload', 'left its page'],
    ['too large', 'an app may have 8 MiB'],
    ['wrong type', 'its type is "text/html"'],
    ['missing', 'there is no ui://apps/missing.html'],
  ] as const) {
    await run(page, name)
    await expect(panel(page), name).toContainText(reason)
    await expect(page.locator('[data-testid=app-frame] iframe'), name).toHaveCount(0)
  }

  await run(page, 'questions')
  for (let index = 0; index < 3; index++) {
    await expect(page.getByRole('dialog')).toContainText(`https://example.com/${index}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  }
  await expect(context).toContainText('asked')
  await expect(page.getByRole('dialog')).toBeHidden()

  await run(page, 'call in a click')
  await app(page).getByRole('button', { name: 'Play' }).click()
  const accept = page.getByRole('dialog').getByRole('button', { name: 'Call anyway' })
  await expect(page.getByRole('dialog')).toContainText('\\u202eeverything')
  await expect(accept).toBeEnabled()
  await expect(page.locator('[data-testid=app-frame] iframe')).toHaveJSProperty('inert', true)
  await page.keyboard.press('Escape')
  await expect(context).toContainText('refused')

  await run(page, 'policy')
  await expect(context).toContainText('runs')
  const details = page.getByTestId('app-details')
  await expect(details).toContainText('5 domains refused')
  await details.getByText('App details').click()
  await expect(details).toContainText('https://api.example.com')
  await expect(details.getByRole('checkbox')).toHaveCount(2)
  for (const box of await details.getByRole('checkbox').all()) await expect(box).not.toBeChecked()

  await run(page, 'webrtc')
  await expect(context).toContainText('tried')

  // The page stays usable while an app uses its thread without end.
  await run(page, 'endless loop')
  await expect(context).toContainText('looping')
  await page.getByRole('button', { name: 'Stop the app' }).click()
  await expect(panel(page)).toContainText('You stopped it.')
  expect(served.leaks.received).toEqual([])
})
