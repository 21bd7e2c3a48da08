/** A remote server that wants a sign-in: the window, the way back, a tool that wants more, and signing out. */
import { spawn } from 'node:child_process'
import { project } from '../scripts/project.mjs'
import { startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, test } from './support/toolscope.ts'

test('sign-in: opens the source that waits for it, asks for more rights when a tool needs them, and signs out', async ({
  page,
  folder,
}) => {
  const remote = spawn(process.execPath, [project('server/sources/fixtures/oauth-server.mjs')])
  const address = await new Promise<string>(resolve =>
    remote.stdout.on('data', text => {
      const found = /listening (\S+)/.exec(String(text))?.[1]
      if (found !== undefined) resolve(found)
    }),
  )
  const running = await startToolscope([], folder, { TOOLSCOPE_DATA_DIR: folder })
  const note = page.getByRole('region', { name: 'Sign-in' })
  const allow = async () => {
    const opened = page.waitForEvent('popup')
    await note.getByRole('button', { name: 'Sign in' }).click()
    const popup = await opened
    await expect(popup).toHaveTitle('Sign in to the example')
    // The page shows whole where the window is.
    await expect(note.getByRole('link')).toHaveAttribute(
      'href',
      /^http:\/\/127\.0\.0\.1:\d+\/auth\?.*code_challenge=/,
    )
    await popup.getByRole('button', { name: 'Allow' }).click()
    await expect(popup.getByRole('heading')).toHaveText('You are signed in')
    await popup.close()
  }
  try {
    await page.goto(running.urlOf('/'))
    await running.request('/api/sources', { input: address })
    const chip = page.getByRole('button', { name: /needs sign-in/ })
    await chip.click()
    await expect(note).toContainText('wants you to sign in')
    await expectNoViolations(page, 'a source that waits for a sign-in')
    await allow()
    await expect(note).toContainText('You are signed in')
    await expectNoViolations(page, 'a source that is signed in')

    const { sources } = await (await running.request('/api/sources')).json()
    await page.goto(running.urlOf(`/?tool=${encodeURIComponent(`${sources[0].name}/write`)}`))
    await page.getByTestId('call-button').click()
    await expect(note).toContainText('wants more rights than you have given it: tools:write')
    await allow()
    await expect(note).toBeHidden()
    await page.getByTestId('call-button').click()
    await expect(page.getByText('write was called')).toBeVisible()

    await page.goto(running.urlOf(`/?about=${encodeURIComponent(sources[0].name)}`))
    await note.getByRole('button', { name: 'Sign out' }).click()
    await expect(note).toContainText('wants you to sign in')
  } finally {
    remote.kill('SIGKILL')
    await running.stop()
  }
})
