/** "Add source": what a stranger types, with a real server from npm; what cannot be opened is not kept. */
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expect, test } from './support/toolscope.ts'

test('opens the usual command of an MCP server, and says of everything else why it was not added', async ({
  page,
}) => {
  const running = await startToolscope([], process.cwd())
  await page.goto(running.urlOf('/'))
  const input = page.getByRole('textbox', { name: 'Program, directory, file or address' })
  const add = async (text: string) => {
    await input.fill(text)
    await input.press('Enter')
  }
  const refusals: readonly (readonly [string, RegExp])[] = [
    [
      'node -e process.exit(3)',
      /--llms ended with exit code 9.*Asked as an MCP server, it did not answer either/s,
    ],
    ['localhost:1', /http:\/\/localhost:1/],
    ['no-such-program', /looked for the file .*no-such-program/],
    ['docs', /is a directory without anything that we can read/],
  ]
  for (const [text, words] of refusals) {
    await add(text)
    await expect(page.getByRole('alert')).toContainText('Not added.')
    await expect(page.getByRole('alert')).toContainText(words)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(input).toHaveValue(text)
  }
  const { sources } = await (await running.request('/api/sources')).json()
  expect(sources).toEqual([])

  await add('npx -y @modelcontextprotocol/server-everything')
  await expect(page.locator('[data-tool="server-everything/echo"]')).toBeVisible()
  await page.getByRole('button', { name: 'Add source' }).click()
  await add('npx -y @modelcontextprotocol/server-everything')
  await expect(page.getByRole('alert')).toContainText('it is called "server-everything"')
  await page.keyboard.press('Escape')

  const tool = page.locator('[data-tool="server-everything/echo"]')
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(tool).toBeHidden()
  await expect(page.getByRole('heading', { name: 'No source yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(tool).toBeVisible()
  await running.stop()
})
