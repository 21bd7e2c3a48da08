/** Versions: kept by themselves, listed, named, compared; and those that git has. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Running, runToolscope, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { test as base, expect } from './support/toolscope.ts'

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

interface Fixtures {
  readonly environment: NodeJS.ProcessEnv
  /** Writes the manifest with this limit. */
  readonly write: (maximum: number) => void
  /** Writes the manifest with each limit in turn and takes a snapshot of it; then serves it. */
  readonly serveAfter: (...limits: number[]) => Promise<Running>
}

const test = base.extend<Fixtures>({
  environment: ({ folder }, use) =>
    use({
      TOOLSCOPE_DATA_DIR: join(folder, 'data'),
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
    }),
  write: ({ folder }, use) => use(maximum => writeFileSync(join(folder, 'mail.json'), manifest(maximum))),
  serveAfter: async ({ folder, environment, write }, use) => {
    let running: Running | undefined
    await use(async (...limits) => {
      for (const maximum of limits) {
        write(maximum)
        const { code, stderr } = await runToolscope(['snapshot', 'mail.json'], {
          directory: folder,
          environment,
        })
        expect(code, stderr).toBe(0)
      }
      running = await startToolscope(['mail.json'], folder, environment)
      return running
    })
    await running?.stop()
  },
})

test('source versions: show what each one broke, take a label, and can be compared', async ({
  page,
  serveAfter,
}) => {
  const running = await serveAfter(100, 200, 50)
  await page.goto(running.urlOf('/?about=mail'))
  const versions = page.getByTestId('version')
  await expect(versions).toHaveCount(3)
  await expect(versions.nth(0)).toContainText('mail@3')
  await expect(versions.nth(0)).toContainText('1 breaking')
  await expect(versions.nth(0)).toContainText('open now')
  await expect(versions.nth(1)).toContainText('1 info')
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
  await expect(page.getByTestId('change')).toContainText('100 → 50')
  await page.goto(`${running.origin}/diff?a=mail@release-1&b=mail`)
  await expect(page.getByTestId('change')).toContainText('100 → 50')
  await page.goto(`${running.origin}/diff?a=mail@nothing&b=mail`)
  await expect(page.getByText(/there are mail@1 to 3/)).toBeVisible()
})

test('source versions: can be compared when their source is closed', async ({ page, serveAfter }) => {
  const running = await serveAfter(100, 200, 50)
  await page.goto(running.urlOf('/?about=mail'))
  const compare = page.getByRole('link', { name: 'Compare with…' })
  await compare.click()
  // Of the source that is open the version before comes first.
  const ways = page.getByRole('region', { name: 'Diff', exact: true }).getByRole('button', { name: /^mail/ })
  await expect(ways).toHaveText([/^mail, before /, /^mail@1, /])
  await ways.first().click()
  await expect(page.getByTestId('change')).toContainText('200 → 50')
  await page.goto(`${running.origin}/?about=mail`)
  const versions = page.getByTestId('version')
  await expect(versions.nth(0)).toContainText('open now')
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Open', exact: true })).toBeVisible()
  await expect(versions.nth(0)).not.toContainText('open now')
  await compare.click()
  await expect(page.getByLabel('After', { exact: true })).toHaveValue('mail@latest')
  await expect(ways).toHaveText([/^mail@2, /, /^mail@1, /])
  await page.getByRole('button', { name: 'Choose before' }).click()
  await expect(page.getByRole('menuitem', { name: /^mail/ })).toHaveText([/^mail@2, /, /^mail@1, /])
  await page.keyboard.press('Escape')
  await ways.last().click()
  await expect(page.getByTestId('change')).toContainText('100 → 50')
  await page.goto(`${running.origin}/diff?a=mail@1&b=mail`)
  await expect(page.getByRole('alert')).toContainText('mail is not open')
})

test('tool versions: list only the versions that changed the tool', async ({ page, write, serveAfter }) => {
  const running = await serveAfter(100, 50)
  await page.goto(running.urlOf('/?tool=mail/send'))
  await page.getByTestId('versions-tab').click()
  const versions = page.getByTestId('version')
  await expect(versions).toHaveCount(2)
  await expect(versions.nth(0)).toContainText('1 breaking')
  await expect(versions.nth(1)).toContainText('added')
  await expectNoViolations(page, 'versions of a tool')
  write(49)
  await expect(versions).toHaveCount(3)
  await page.getByRole('link', { name: 'Compare the two' }).click()
  await expect(page).toHaveURL(/tool=send/)
  await expect(page.getByTestId('change')).toContainText('50 → 49')
  await page.goto(`${running.origin}/?tool=mail/still&tab=versions`)
  await expect(versions).toHaveCount(1)
  await expect(page.getByText('only one version yet')).toBeVisible()
})

test('git versions: list the commits of a manifest without any set-up', async ({
  page,
  folder,
  environment,
  write,
}) => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], {
      cwd: folder,
      env: { ...process.env, ...environment },
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
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  const running = await startToolscope([join(folder, 'mail.json')], elsewhere, environment)
  try {
    await page.goto(running.urlOf('/?about=mail'))
    const commits = page.getByTestId('version').filter({ has: page.getByLabel('Commit') })
    await expect(commits).toHaveCount(2)
    await expect(commits.nth(0)).toContainText('Be careful with the server')
    await expect(commits.nth(0)).toContainText('1 breaking')
    await commits.nth(1).getByRole('radio').first().check()
    await commits.nth(0).getByRole('radio').last().check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await expect(page.getByTestId('change')).toContainText('100 → 50')
    await page.goto(`${running.origin}/?tool=mail/send&tab=versions`)
    await expect(commits).toHaveCount(2)
  } finally {
    await running.stop()
  }
})
