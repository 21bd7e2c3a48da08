/** "Add source": what a stranger types, drops and pastes, with a real server from npm; kept, changed, removed, and there again. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { project } from '../scripts/project.mjs'
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, publishedServer, test } from './support/toolscope.ts'

const lineField = 'Command, address, path or JSON'
const everything = 'npx -y @modelcontextprotocol/server-everything'

test('add source: opens the usual command of an MCP server, and says why another entry was not added', async ({
  page,
}) => {
  const running = await startToolscope([], project())
  await page.goto(running.urlOf('/'))
  const command = page.getByRole('textbox', { name: lineField })
  const refusals: readonly (readonly [string, RegExp])[] = [
    ['node -e process.exit(3)', /exited \(code 3\) during the MCP handshake.*Also tried with --llms/s],
    ['no-such-program', /looked for the file .*no-such-program/],
    ['docs', /docs has no functions\.json or mcp\.json/],
  ]
  for (const [text, words] of refusals) {
    await command.fill(text)
    await command.press('Enter')
    await expect(page.getByRole('alert')).toContainText('Not added.')
    await expect(page.getByRole('alert')).toContainText(words)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(command).toHaveValue(text)
  }
  await command.fill('localhost:1')
  await expect(page.getByRole('button', { name: 'Add header' })).toBeVisible()
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByRole('alert')).toContainText('http://localhost:1')
  const { sources } = await (await running.request('/api/sources')).json()
  expect(sources).toEqual([])

  await command.fill(everything)
  await expect(page.getByRole('button', { name: 'Add variable' })).toBeVisible()
  await page.getByRole('button', { name: 'Try it' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'MCP, stdio' })).toContainText(
    /\d+ tools, \d+ prompts, \d+ resources/,
  )
  await command.press('Enter')
  await expect(page).toHaveURL(/\?tool=server-everything\/echo$/)
  await expect(page.locator('[data-tool="server-everything/echo"]')).toBeInViewport()
  await page.getByRole('button', { name: 'Add source' }).click()
  const dialog = page.getByRole('dialog')
  await expect(command).toBeFocused()
  await command.fill(everything)
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('server-everything')
  await expect(dialog.getByText('A source named “server-everything” already exists.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Add variable' }).click()
  await expectNoViolationsWideAndNarrow(page, 'the dialog')
  await expect(dialog.getByRole('button', { name: 'Add', exact: true })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('again')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('it is called "server-everything"')
  await page.keyboard.press('Escape')

  const tool = page.locator('[data-tool="server-everything/echo"]')
  const chips = page.getByRole('navigation', { name: 'Sources' })
  await chips.getByRole('button', { name: /^server-everything/ }).click()
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(tool).toBeHidden()
  await expect(page.getByRole('heading', { name: 'No source yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tool).toBeVisible()
  await running.stop()
})

test('add source: keeps dropped, pasted and renamed sources over restarts, and writes toolscope.json on request', async ({
  page,
  folder,
}) => {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, '.data') }
  const first = await startToolscope([], folder, environment)
  await page.goto(first.urlOf('/'))
  const server = project('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const servers = { everything: { command: 'node', args: [server] }, broken: { command: 'no-such-program' } }
  await page.evaluate(
    text => {
      const data = new DataTransfer()
      data.items.add(new File([text], 'mcp.json', { type: 'application/json' }))
      const main = document.querySelector('main')
      for (const type of ['dragover', 'drop'])
        main?.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }))
    },
    JSON.stringify({ mcpServers: servers }),
  )
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('An mcp.json with 2 servers')).toBeVisible()
  await dialog.getByRole('checkbox', { name: /^broken/ }).uncheck()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('shop')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.locator('[data-tool="shop/echo"]')).toBeVisible()

  await page.getByRole('button', { name: 'Add source' }).click()
  const json = dialog.getByRole('textbox', { name: lineField })
  await json.fill('{"tools": [')
  await expect(dialog.getByRole('alert')).toContainText('Not recognised. Nothing was added.')
  const registered = {
    name: 'io.example/weather',
    version: '1.0.0',
    packages: [
      { registryType: 'npm', identifier: '@example/weather', version: '1.0.0', transport: { type: 'stdio' } },
    ],
    remotes: [{ type: 'streamable-http', url: 'https://weather.example/mcp' }],
  }
  await json.fill(JSON.stringify(registered))
  await expect(dialog.getByText('npx -y @example/weather@1.0.0')).toBeVisible()
  await expect(dialog.getByText('https://weather.example/mcp', { exact: true })).toBeVisible()
  await json.fill('{"tools": [{"name": "look", "inputSchema": {"type": "object"}}]}')
  await expect(dialog.getByText('A manifest of 1 tool')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('paper')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.locator('[data-tool="paper/look"]')).toBeVisible()

  await page.getByRole('link', { name: /^Sources/ }).click()
  const row = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })
  await expect(row('shop')).toContainText('MCP, stdio')
  const examplesOf = async (ref: string) => {
    const answer = await first.request(`/api/examples?ref=${encodeURIComponent(ref)}`)
    return (await answer.json()).examples.map(({ name }: { name: string }) => name)
  }
  const text = '{"name": "says it", "input": {"message": "it"}}'
  await first.request('/api/examples', { ref: 'shop/echo', text }, 'PUT')
  expect(await examplesOf('shop/echo')).toEqual(['says it'])
  await row('shop').getByRole('button', { name: 'More for shop' }).click()
  await page.getByRole('menuitem', { name: 'Edit or rename…' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Command' })).toHaveValue(`node ${server}`)
  await dialog.getByRole('textbox', { name: 'Command' }).fill('node -e process.exit(3)')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Not saved. The source is open as before.')
  await dialog.getByRole('textbox', { name: 'Command' }).fill(`node ${server} stdio`)
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('store')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(row('store')).toContainText('ready')
  expect(await examplesOf('store/echo')).toEqual(['says it'])
  await row('paper').getByRole('button', { name: 'More for paper' }).click()
  await page.getByRole('menuitem', { name: 'Close' }).click()
  await expect(row('paper')).toContainText('closed')
  await first.stop()

  const second = await startToolscope([], folder, environment)
  await page.goto(second.urlOf('/sources'))
  await expect(row('store')).toContainText('ready')
  await expect(row('paper')).toContainText('closed')
  await row('paper').getByRole('button', { name: 'More for paper' }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(row('paper')).toBeHidden()
  await page.reload()
  await expectNoViolationsWideAndNarrow(page, 'the sources')
  await page.getByRole('button', { name: 'Restore paper' }).click()
  await expect(row('paper')).toContainText('closed')
  writeFileSync(join(folder, 'toolscope.json'), '{\n  // Ours.\n  "sources": {}\n}\n')
  await row('store').getByRole('button', { name: 'More for store' }).click()
  await page.getByRole('menuitem', { name: 'Save to toolscope.json…' }).click()
  await expect(dialog.getByRole('region', { name: 'The change' })).toContainText('+     "store": {')
  await dialog.getByRole('button', { name: 'Write the file' }).click()
  await expect(row('store')).toContainText('from toolscope.json')
  expect(readFileSync(join(folder, 'toolscope.json'), 'utf8')).toMatch(/\/\/ Ours\.[\s\S]*"store"/)
  await second.stop()

  const third = await startToolscope([], folder, environment)
  await page.goto(third.urlOf('/sources'))
  await expect(row('store')).toContainText('ready')
  await expect(row('paper')).toContainText('closed')
  await third.stop()
})

test('header: shows the sources that fit, failed ones first, and the others in a menu', async ({
  page,
  folder,
}) => {
  const names = Array.from({ length: 30 }, (_, index) => `catalog-number-${index + 1}`)
  for (const name of names)
    writeFileSync(
      join(folder, `${name}.json`),
      name.endsWith('-30')
        ? '{"no": "manifest"}'
        : `{"tools": [{"name": "${name}", "inputSchema": {"type": "object"}}]}`,
    )
  const running = await startToolscope(
    names.map(name => `${name}.json`),
    folder,
  )
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(running.urlOf('/'))
    const bar = page.getByRole('navigation', { name: 'Sources' })
    const more = bar.getByRole('button', { name: /^\d+ (more|sources)$/ })
    const shown = bar.getByRole('button', { name: /^catalog-number/ })
    await expect(async () => {
      const hidden = Number((await more.textContent())?.split(' ')[0])
      expect(hidden + (await shown.count())).toBe(30)
      if (width > 400) expect(await shown.first().textContent()).toContain('catalog-number-30')
    }).toPass()
    const overlaps = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll('header button, header a')]
        .filter(each => getComputedStyle(each).visibility !== 'hidden')
        .map(each => each.getBoundingClientRect())
      return boxes.some((a, index) =>
        boxes
          .slice(index + 1)
          .some(b => a.left < b.right - 1 && b.left < a.right - 1 && a.width * b.width > 0),
      )
    })
    expect(overlaps).toBe(false)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    await more.click()
    await page.getByRole('searchbox', { name: 'Search sources' }).fill('number-29')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^catalog-number-29 is ready/ })
      .click()
    await expect(page.getByRole('heading', { name: 'catalog-number-29' })).toBeVisible()
  }
  await running.stop()
})

test('add source: adds the servers of an mcp.json by its path, and asks for the input that one of them needs', async ({
  page,
  folder,
}) => {
  const lineField = 'Command, address, path or JSON'
  const everything = { command: process.execPath, args: [publishedServer('server-everything'), 'stdio'] }
  const file = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  const two = file('two.json', { mcpServers: { one: everything, two: everything } })
  const asking = { ...everything, env: { PLACE: `\${input:place}` } }
  const inputs = [{ id: 'place', type: 'promptString', description: 'Where' }]
  const asks = file('asks.json', { servers: { asks: asking }, inputs })
  const environment = { HOME: folder, TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const running = await startToolscope([], folder, environment)
  await page.goto(running.urlOf('/'))
  const command = page.getByRole('textbox', { name: lineField })
  await command.fill(two)
  await command.press('Enter')
  await expect(page.getByRole('contentinfo')).toContainText('2 sources')
  await expect(page.locator('[data-tool="one/echo"]')).toBeVisible()

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add source' }).click()
  await command.fill(asks)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Add source' }).click()
  await dialog.getByText('From another client').click()
  await dialog.getByRole('button', { name: 'Open asks' }).click()
  await dialog.getByLabel('Where').fill('here')
  await dialog.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('contentinfo')).toHaveText(/ 3 sources(?!.*failed)/)
  await running.stop()
})
