/** Workspace trust on the page: what a found toolscope.json starts is asked about first. */
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

const program = `
require('node:fs').writeFileSync('mark', '')
console.log(JSON.stringify({ tools: [{ name: 'one', inputSchema: { type: 'object' } }] }))`

test('folder trust: starts a found configuration after Trust, not after Not now, and stops it when trust is removed', async ({
  page,
  folder,
}) => {
  const mark = join(folder, 'mark')
  writeFileSync(join(folder, 'local.cjs'), program)
  writeFileSync(join(folder, 'files.json'), '{"tools": [{"name": "two", "inputSchema": {}}]}')
  const write = (...args: string[]) => {
    const local = { command: ['node', 'local.cjs', ...args], environment: { MODE: 'quiet' } }
    const sources = { local, files: { manifest: 'files.json' } }
    writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  }
  write()
  const running = await startToolscope([], folder, { TOOLSCOPE_DATA_DIR: join(folder, 'data') })
  const dialog = page.getByRole('dialog', { name: 'Trust this folder?' })
  const sources = page.getByRole('navigation', { name: 'Sources' }).getByRole('button')
  try {
    await page.goto(running.urlOf('/'))
    await expect(dialog).toContainText('local')
    await expect(dialog).toContainText('MODE=quiet node local.cjs')
    await expect(dialog).not.toContainText('files.json')
    await expectNoViolations(page, 'the question')
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await expect(dialog).toBeHidden()
    await expect(sources).toHaveText([/^local *stopped/, /^files *1/])
    await sources.first().click()
    await expect(page.getByRole('button', { name: 'Start' })).toBeHidden()
    await expectNoViolations(page, 'a source that is not trusted')
    await page.getByRole('button', { name: 'Review and trust…' }).click()
    expect(existsSync(mark)).toBe(false)
    await dialog.getByRole('button', { name: 'Trust', exact: true }).click()
    await expect(sources).toHaveText([/^local *1/, /^files *1/])

    rmSync(mark)
    write('--changed')
    await expect(dialog).toContainText('MODE=quiet node local.cjs --changed')
    expect(existsSync(mark)).toBe(false)
    await dialog.getByRole('button', { name: 'Trust', exact: true }).click()
    await expect(sources).toHaveText([/^local *1/, /^files *1/])

    await page.getByRole('button', { name: 'Remove trust' }).click()
    await expect(sources).toHaveText([/^local *stopped/, /^files *1/])
    await expect(dialog).toBeHidden()
  } finally {
    await running.stop()
  }
})
