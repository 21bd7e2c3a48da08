/** Versions: kept by themselves, listed, named, compared; and those that git has. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectNoViolations } from './support/axe.ts'
import { expect, project, startToolscope, test } from './support/toolscope.ts'

const slow = { timeout: 20_000 }
// Each starts the program several times.
test.describe.configure({ timeout: 90_000 })

/** A manifest with one tool whose limit is this, and one that never changes. */
const manifest = (maximum: number) =>
  JSON.stringify({
    tools: [
      {
        name: 'send',
        inputSchema: {
          type: 'object',
          properties: { count: { type: 'integer', maximum } },
          required: ['count'],
        },
      },
      { name: 'still', inputSchema: { type: 'object' } },
    ],
  })

let folder: string
const environment = () => ({
  ...process.env,
  TOOLSCOPE_DATA_DIR: join(folder, 'data'),
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
})
const write = (maximum: number) => writeFileSync(join(folder, 'mail.json'), manifest(maximum))
const toolscope = (...args: string[]) =>
  execFileSync(process.execPath, [project('dist/server/main.js'), ...args], {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  })

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'toolscope-versions-'))
})
test.afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('versions of a source are listed with what they broke, named, and any two compared', async ({
  page,
}) => {
  for (const maximum of [100, 200, 50]) {
    write(maximum)
    toolscope('snapshot', 'mail.json')
  }
  const running = await startToolscope(['mail.json'], folder, environment())
  try {
    await page.goto(running.url)
    await page.goto(`${running.origin}/?about=mail`)
    const versions = page.getByTestId('version')
    await expect(versions).toHaveCount(3, slow)
    await expect(versions.nth(0)).toContainText('mail@3')
    await expect(versions.nth(0)).toContainText('1 breaking')
    await expect(versions.nth(0)).toContainText('open now')
    await expect(versions.nth(1)).toContainText('1 harmless')
    await versions.nth(2).getByRole('button', { name: 'Label mail@1' }).click()
    await page.getByLabel('Label for mail@1').fill('3')
    await expect(page.getByText('no number, no date')).toBeVisible()
    await page.getByLabel('Label for mail@1').fill('release-1')
    await page.keyboard.press('Enter')
    await expect(versions.nth(2)).toContainText('release-1')
    await expectNoViolations(page, 'versions of a source')
    await versions.nth(2).getByRole('radio', { name: 'Compare from mail@1' }).check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await expect(page).toHaveURL(/a=mail(?:@|%40)1&b=mail(?:@|%40)3/)
    await expect(page.getByTestId('change')).toContainText('100 → 50', slow)
    await page.goto(`${running.origin}/diff?a=mail@release-1&b=mail`)
    await expect(page.getByTestId('change')).toContainText('100 → 50', slow)
    await page.goto(`${running.origin}/diff?a=mail@nothing&b=mail`)
    await expect(page.getByText(/there are mail@1 to 3/)).toBeVisible(slow)
  } finally {
    await running.stop()
  }
})

test('a tool has the versions that touched it, and only these', async ({ page }) => {
  for (const maximum of [100, 50]) {
    write(maximum)
    toolscope('snapshot', 'mail.json')
  }
  const running = await startToolscope(['mail.json'], folder, environment())
  try {
    await page.goto(running.url)
    await page.goto(`${running.origin}/?tool=mail/send`)
    await page.getByTestId('versions-tab').click()
    const versions = page.getByTestId('version')
    await expect(versions).toHaveCount(2, slow)
    await expect(versions.nth(0)).toContainText('1 breaking')
    await expect(versions.nth(1)).toContainText('added')
    await expectNoViolations(page, 'versions of a tool')
    write(49)
    await expect(versions).toHaveCount(3, slow)
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await expect(page).toHaveURL(/tool=send/)
    await expect(page.getByTestId('change')).toContainText('50 → 49', slow)
    await page.goto(`${running.origin}/?tool=mail/still&tab=versions`)
    await expect(versions).toHaveCount(1, slow)
    await expect(page.getByText('nothing to compare yet')).toBeVisible()
  } finally {
    await running.stop()
  }
})

test('a manifest in git has its history as versions without any set-up', async ({ page }) => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      env: environment(),
    })
  git('init', '-q')
  for (const [maximum, message] of [
    [100, 'Send mail'],
    [50, 'Be careful with the server'],
  ] as const) {
    write(maximum)
    git('add', 'mail.json')
    git('commit', '-q', '-m', message)
  }
  // Started from somewhere else: the repository is the file's.
  const elsewhere = mkdtempSync(join(tmpdir(), 'toolscope-elsewhere-'))
  const running = await startToolscope([join(folder, 'mail.json')], elsewhere, environment())
  try {
    await page.goto(running.url)
    await page.goto(`${running.origin}/?about=mail`)
    const commits = page.getByTestId('version').filter({ has: page.getByLabel('Commit') })
    await expect(commits).toHaveCount(2, slow)
    await expect(commits.nth(0)).toContainText('Be careful with the server')
    await expect(commits.nth(0)).toContainText('1 breaking')
    await commits.nth(1).getByRole('radio').first().check()
    await commits.nth(0).getByRole('radio').last().check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await expect(page.getByTestId('change')).toContainText('100 → 50', slow)
    await page.goto(`${running.origin}/?tool=mail/send&tab=versions`)
    await expect(commits).toHaveCount(2, slow)
  } finally {
    await running.stop()
    rmSync(elsewhere, { recursive: true, force: true })
  }
})
