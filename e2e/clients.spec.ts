/** "From another client": the servers that Claude, VS Code, Codex … name in a home, opened by a click and kept. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { project } from '../scripts/project.mjs'
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

const places = {
  'claude_desktop_config.fixture.json': '.config/Claude/claude_desktop_config.json',
  'vscode-mcp.fixture.json': '.config/Code/User/mcp.json',
  'config.fixture.toml': '.codex/config.toml',
}

test('servers of other clients: open by a click, ask for the inputs of their files, and ask again after a restart', async ({
  page,
  folder,
}) => {
  for (const [name, place] of Object.entries(places)) {
    mkdirSync(dirname(join(folder, place)), { recursive: true })
    cpSync(project(`server/recognise/fixtures/${name}`), join(folder, place))
  }
  mkdirSync(join(folder, '.cursor'))
  writeFileSync(join(folder, '.cursor/mcp.json'), '{\n  "mcpServers": {\n    "a": }\n}')
  const environment = {
    HOME: folder,
    PATH: `${project('node_modules/.bin')}:${process.env.PATH}`,
    TOOLSCOPE_DATA_DIR: join(folder, 'data'),
  }
  const shop = join(folder, 'shop')
  mkdirSync(shop)
  writeFileSync(join(shop, '.env'), 'FROM_FILE=1\n')
  const start = (...args: string[]) => startToolscope(args, shop, environment)
  let running = await start()
  const file = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) })
  const dialog = page.getByRole('dialog', { name: /^Add (?:a )?source$/ })
  const openDialog = async () => {
    await page
      .getByRole('button', { name: /Add (?:a )?source/ })
      .first()
      .click()
    await dialog.getByText(/^From another client \d/).click()
  }
  const statusOf = async (name: string) => {
    const list: { sources: { name: string; status: string; error?: { code: string } }[] } = await (
      await running.request('/api/sources')
    ).json()
    const { status, error } = list.sources.find(each => each.name === name) ?? {}
    return error === undefined ? status : `${status}: ${error.code}`
  }
  try {
    await page.goto(running.urlOf('/'))
    await openDialog()
    await expect(file('Claude Desktop').getByRole('listitem')).toHaveText([
      /everything/,
      /typo.*neither a "command"/,
    ])
    await expect(file('Codex').getByRole('listitem')).toHaveText([
      /everything/,
      /remote/,
      /off *switched off/,
    ])
    await expect(file('Cursor')).toContainText(/mcp\.json:3: ValueExpected/)
    await expect(dialog).not.toContainText('fake-')
    await expectNoViolations(page, 'the servers of other clients')

    const asks = file('VS Code').getByRole('group', { name: 'everything asks for' })
    await file('VS Code').getByRole('button', { name: 'Open everything' }).click()
    const secret = asks.getByLabel('ACME API key')
    await expect(secret).toBeFocused()
    await expect(secret).toHaveAttribute('type', 'password')
    await expect(asks.getByRole('button', { name: 'Open' })).toBeDisabled()
    await secret.fill('typed-key-9f31')
    await asks.getByLabel('Region').selectOption('us-east')
    await expectNoViolations(page, 'what a file asks for')
    await secret.press('Enter')
    await expect(dialog).toBeHidden()
    await expect.poll(() => statusOf('everything')).toBe('ready')

    const call = await running.request('/api/invocations', { ref: 'everything/get-env', inputText: '{}' })
    expect(await call.text()).toContain('us-east')
    await openDialog()
    await expect(file('VS Code').getByRole('listitem').first()).toContainText('ready')
    await file('Claude Desktop').getByRole('button', { name: 'Open everything' }).click()
    await expect.poll(() => statusOf('everything-2')).toBe('ready')

    // After a restart: what needs no answer is open, the other one asks again.
    await running.stop()
    const written = readdirSync(environment.TOOLSCOPE_DATA_DIR, { recursive: true, withFileTypes: true })
      .filter(each => each.isFile())
      .map(each => readFileSync(join(each.parentPath, each.name), 'latin1'))
    expect(written.length).toBeGreaterThan(0)
    expect(written.some(text => /fake-desktop-key|typed-key-9f31/.test(text))).toBe(false)
    running = await start()
    // The stored calls are compressed: the search in the files does not see them.
    const history = await (await running.request('/api/history/export')).text()
    expect(history).toContain('us-east')
    expect(history).not.toContain('typed-key-9f31')
    await page.goto(running.urlOf('/'))
    await expect.poll(() => statusOf('everything-2')).toBe('ready')
    expect(await statusOf('everything')).toBe('failed: inputs-needed')
    await openDialog()
    await file('VS Code').getByRole('button', { name: 'Open everything' }).click()
    await asks.getByLabel('ACME API key').fill('typed-key-9f31')
    await asks.getByLabel('ACME API key').press('Enter')
    await expect.poll(() => statusOf('everything')).toBe('ready')
    await running.stop()

    running = await start('--fixed-sources')
    expect((await running.request('/api/clients')).status).toBe(403)
    expect((await running.request('/api/clients/open', { file: 'x', id: 'y' })).status).toBe(403)
  } finally {
    await running.stop()
  }
})
