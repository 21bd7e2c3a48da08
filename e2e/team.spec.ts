/** A server that takes rights away: its page says why a control is off. */
import { acme, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

test('read-only page: shows everything, and turns off each control that changes something, with the reason', async ({
  page,
  folder,
}) => {
  const environment = { TOOLSCOPE_DATA_DIR: folder }
  const before = await startToolscope(['node', '--', acme], folder, environment)
  await (await before.request('/api/invocations', { ref: 'acme/ops status', input: {} })).text()
  await before.stop()
  const running = await startToolscope(['--read-only', 'node', '--', acme], folder, environment)
  const refused: string[] = []
  page.on('request', request => {
    if (request.method() !== 'GET' && !/\/(prompt|lint|help|validate)/.test(request.url()))
      refused.push(`${request.method()} ${request.url()}`)
  })
  const off = async (name: string | RegExp) => {
    const button = page.getByRole('button', { name }).first()
    await expect(button).toHaveAttribute('aria-disabled', 'true')
    await expect(button).toHaveAttribute('title', /this server is read-only\.$/)
    await button.click({ force: true })
  }
  try {
    await page.goto(running.urlOf(`/?tool=${encodeURIComponent('acme/api greet')}`))
    await expect(page.getByTestId('tool-form')).toBeVisible()
    await expect(page.getByRole('contentinfo')).toContainText('read-only')
    await off(/^Call/)
    await page.keyboard.press('ControlOrMeta+Enter')
    await off('Add source')
    await expectNoViolations(page, 'a tool of a read-only server')
    await page.getByRole('navigation', { name: 'Sources' }).getByRole('button', { name: /^acme/ }).click()
    for (const name of ['Refresh', 'Stop', 'Restart']) await off(name)
    await page.goto(`${running.origin}/history`)
    await page
      .getByRole('region', { name: 'Calls' })
      .getByRole('listitem')
      .getByRole('button')
      .first()
      .click()
    for (const name of ['Repeat', 'Clear…', 'Delete this call', 'Pin: keep this call']) await off(name)
    await page.goto(`${running.origin}/console`)
    await off(/^Run/)
    expect(refused).toEqual([])
  } finally {
    await running.stop()
  }
})
