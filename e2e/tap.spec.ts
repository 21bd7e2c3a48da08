/** `toolscope tap --open`: the messages of a real client and a real server, live in the page that the tap opens. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { until } from '../scripts/test-processes.ts'
import { program } from '../scripts/toolscope-program.ts'
import { expectNoViolationsWideAndNarrow } from './support/axe.ts'
import { expect, publishedServer, test } from './support/toolscope.ts'

const secret = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Starts a client whose server is behind a tap. The environment is that of a desktop without programs for addresses, so
 * that `xdg-open` starts the browser that the environment names: it writes its address to a file.
 */
async function startClient(folder: string) {
  const browser = join(folder, 'browser.sh')
  const opened = join(folder, 'opened')
  const temporary = join(folder, 'tmp')
  writeFileSync(browser, `#!/bin/sh\nprintf '%s' "$1" > '${opened}~' && mv '${opened}~' '${opened}'\n`)
  chmodSync(browser, 0o755)
  mkdirSync(temporary)
  const { PATH = '', HOME = '' } = process.env
  const desktop = { DISPLAY: ':none', BROWSER: browser, XDG_DATA_HOME: folder, XDG_DATA_DIRS: folder }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'tap', '--open', '--', process.execPath, publishedServer('server-everything')],
    cwd: folder,
    env: { PATH, HOME, TMPDIR: temporary, ...desktop },
    stderr: 'pipe',
  })
  let stderr = ''
  transport.stderr?.on('data', chunk => {
    stderr += String(chunk)
  })
  const client = new Client({ name: 'editor', version: '1' })
  await client.connect(transport)
  /** Waits for the browser; for the address on stderr where no variable names a browser. */
  const findAddress = async () => {
    if (process.platform !== 'linux') {
      await until(() => stderr.includes('tap page: '))
      return /tap page: (\S+)/.exec(stderr)?.[1] ?? ''
    }
    await until(() => existsSync(opened))
    return readFileSync(opened, 'utf8')
  }
  return { client, findAddress, temporary }
}

test('tap: opens a page in which the messages of a client appear, masked, and nothing can be called', async ({
  page,
  folder,
}) => {
  const { client, findAddress, temporary } = await startClient(folder)
  try {
    await page.goto(await findAddress())
    const rows = page.getByRole('listbox', { name: /^Messages of / }).getByRole('option')
    await expect(rows.filter({ hasText: 'initialize' }).first()).toBeVisible()

    // The page follows the client, whose calls it only shows.
    const { content } = await client.callTool({ name: 'echo', arguments: { message: `for ${secret}` } })
    expect(content).toEqual([{ type: 'text', text: `Echo: for ${secret}` }])
    const call = rows.filter({ hasText: 'tools/callecho' })
    await expect(call).toHaveCount(2)
    await call.last().click()
    const detail = page.getByRole('article', { name: /^Message \d+$/ })
    await expect(detail).toContainText('Echo: for •••')
    await expect(page.getByRole('main')).not.toContainText(secret)
    await expect(page.getByRole('button', { name: 'Edit and send again' })).toHaveCount(0)
    await expectNoViolationsWideAndNarrow(page, 'the page of a tap')
  } finally {
    await client.close()
  }
  await until(() => readdirSync(temporary).length === 0)
  const [recording = ''] = readdirSync(folder).filter(name => name.endsWith('.toolrec'))
  const recorded = readFileSync(join(folder, recording), 'utf8')
  expect(recorded).toContain('"type":"end"')
  expect(recorded).not.toContain(secret)
})
